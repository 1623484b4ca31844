//===- AnyOrder.h - Additions in any order -----------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_ANYORDER_H
#define ISOZYME_LIB_EMIT_ANYORDER_H

namespace llvm {
class Instruction;
} // namespace llvm

namespace isozyme {

/// Lets the optimiser add up the sum that \p Addition, a copy of the user's, belongs to in any
/// order. Returns what takes its place.
llvm::Instruction *addInAnyOrder(llvm::Instruction &Addition);

} // namespace isozyme

#endif
