//===- KeepDecision.h - How the reverse sweep gets one value -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_KEEPDECISION_H
#define ISOZYME_PLAN_KEEP_KEEPDECISION_H

#include "isozyme/Needs/StoredValues.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class Instruction;
class LoopInfo;
} // namespace llvm

namespace isozyme {

/// When a value that is kept is written to its slot.
enum class SlotWrite : uint8_t {
  Each,     ///< Where it is computed, in each iteration.
  WithNext, ///< In each iteration, where the one that the next iteration gets is known.
  // Of neighbours that share an array:
  Behind, ///< Behind the loop: the one of the last iteration. Others write the rest.
  Never,  ///< Another load of the same element is written.
};

/// How one part of one value is obtained in the reverse sweep.
struct KeepDecision {
  enum Kind : uint8_t {
    Available, ///< An argument, constant, loop counter, or a value that both sweeps see.
    Recompute, ///< Its instruction is repeated on recomputed operands; for a load, see From.
    Reload,    ///< The load is repeated: the memory is unchanged, or as it was again.
    Cache,     ///< Written to a tape slot in the forward sweep.
  };
  Kind K = Available;
  /// What it would be if it were not kept; Cache if it can only be kept.
  Kind Again = Available;
  int Slot = -1; ///< Cache only: index in TapeLayout::slots().
  /// Cache, in an array that neighbours share: how far in it the value lies behind the place of the
  /// counters, for each loop of the region.
  llvm::SmallVector<unsigned, 3> Place;
  SlotWrite Write = SlotWrite::Each;
  /// Reload: what these stores have overwritten is put back first.
  llvm::SmallVector<llvm::StoreInst *, 2> Undone;
  /// Recompute, of a load: what it reads is had as what was stored there.
  std::optional<StoredValue> From;
  std::string Reason;
};

/// What the next iteration gets in place of \p V, which a loop of one block hands on; null: it
/// hands on nothing that is computed in it.
llvm::Instruction *nextOf(const llvm::LoopInfo &Loops, llvm::Value *V);

/// "cache"
llvm::StringRef wordFor(KeepDecision::Kind K);
std::optional<KeepDecision::Kind> keepKindFor(llvm::StringRef Word);

} // namespace isozyme

#endif
