//===- TypeContents.h - What an LLVM type is made of -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_TYPECONTENTS_H
#define ISOZYME_SUPPORT_TYPECONTENTS_H

namespace llvm {
class Type;
} // namespace llvm

namespace isozyme {

/// May a value of this type carry a derivative by itself (floats and aggregates
/// or vectors of them)?
bool isFloatLike(const llvm::Type *T);
/// Does this type contain a pointer?
bool containsPointer(const llvm::Type *T);

} // namespace isozyme

#endif
