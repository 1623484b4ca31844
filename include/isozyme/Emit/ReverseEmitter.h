//===- ReverseEmitter.h - Execute a reverse plan -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_EMIT_REVERSEEMITTER_H
#define ISOZYME_EMIT_REVERSEEMITTER_H

#include "isozyme/Plan/DerivativePlan.h"

namespace isozyme {

/// The two halves of a callee's derivative and what passes between them.
struct SplitPair {
  llvm::Function *Augment = nullptr, *FromTape = nullptr;
  llvm::Type *Tape = nullptr; ///< Null: no tape.
  bool Boxed = false;    ///< The tape is a pointer: in a recursion, or where it has many members.
  bool KeepTape = false; ///< FromTape leaves the tape, and all memory, for another use.
};
using PairLookup = llvm::function_ref<SplitPair(const DiffRequest &)>;

/// Fills \p Shell with the combined derivative: forward sweep, then reverse sweep.
llvm::Error emitReverse(llvm::Function &Shell, const DerivativePlan &Plan, PairLookup Pairs);
/// Fills the forward half of a split pair.
llvm::Error emitAugment(const SplitPair &Self, const DerivativePlan &Plan, PairLookup Pairs);
/// Fills the reverse half of a split pair.
llvm::Error emitFromTape(const SplitPair &Self, const DerivativePlan &Plan, PairLookup Pairs);

} // namespace isozyme

#endif
