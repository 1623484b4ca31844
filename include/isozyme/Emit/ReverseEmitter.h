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
  /// On a GPU: the primal, which adds up the memory that Augment takes. Null: it takes none.
  llvm::Function *Count = nullptr;
  bool Boxed = false;    ///< The tape is a pointer: in a recursion, or where it has many members.
  bool KeepTape = false; ///< FromTape leaves the tape, and all memory, for another use.
};
using PairLookup = llvm::function_ref<SplitPair(const DiffRequest &)>;

/// Fills \p Shell with the combined derivative: forward sweep, then reverse sweep. \p Counter: what
/// is called in its place where a launch only counts bytes of tapes, or null.
llvm::Error emitReverse(llvm::Function &Shell, const DerivativePlan &Plan, PairLookup Pairs,
                        llvm::Function *Counter = nullptr);
/// Fills \p Shell, of the primal's type, with the primal, which adds up what the forward sweep
/// takes from the memory for tapes (DeviceTape.h), and of a pair \p Self its box. Does it take any?
bool emitTapeCount(llvm::Function &Shell, const DerivativePlan &Plan, const SplitPair &Self,
                   PairLookup Pairs);
/// Has \p Fn call \p Counter with \p Args, and return zeros, where a launch only counts.
void countFirst(llvm::Function &Fn, llvm::Function &Counter, llvm::ArrayRef<llvm::Value *> Args,
                bool ReturnsPrimal);
/// Fills the forward half of a split pair.
llvm::Error emitAugment(const SplitPair &Self, const DerivativePlan &Plan, PairLookup Pairs);
/// Fills the reverse half of a split pair.
llvm::Error emitFromTape(const SplitPair &Self, const DerivativePlan &Plan, PairLookup Pairs);

} // namespace isozyme

#endif
