//===- UnionMoves.h - Unions that are passed as doubles ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_UNIONMOVES_H
#define ISOZYME_LIB_PREPARE_UNIONMOVES_H

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace isozyme {

/// Is \p A a double that its function only stores in unions, and that a caller reads from one?
bool isMovedUnion(const llvm::Argument &A);
/// Is the double that \p F returns, or member \p Number of what it returns, only read from unions,
/// and stored in one by a caller?
bool isMovedUnionResult(const llvm::Function &F, unsigned Number);

} // namespace isozyme

#endif
