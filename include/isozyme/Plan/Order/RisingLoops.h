//===- RisingLoops.h - Reverse loops that count up ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse sweep runs the iterations of a loop from the last to the first. Where they only
// add to memory, and take from elements that no two of them take from, any order will do. A
// processor fetches memory best that is read upwards, and LLVM needs no shuffles there.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_ORDER_RISINGLOOPS_H
#define ISOZYME_PLAN_ORDER_RISINGLOOPS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class Loop;
class raw_ostream;
} // namespace llvm

namespace isozyme {

class MemoryAvailability;
struct DerivativePlan;

/// Loops whose iterations the reverse sweep runs in the order of the forward sweep.
class RisingLoops {
public:
  void add(llvm::ArrayRef<const llvm::Loop *> Nest) { Loops.insert_range(Nest); }
  llvm::ArrayRef<const llvm::Loop *> loops() const { return Loops.getArrayRef(); }
  bool contains(const llvm::Loop *L) const { return Loops.contains(L); }
  void print(llvm::raw_ostream &OS) const;

private:
  llvm::SmallSetVector<const llvm::Loop *, 4> Loops;
};

/// \p L and as many loops around it as may count up together; none where that is of no use.
/// Steps, fused loops and the tape of \p Plan are decided.
llvm::SmallVector<const llvm::Loop *, 4>
findRisingNest(const DerivativePlan &Plan, const llvm::Loop &L, const MemoryAvailability &Memory);

/// May the iterations of \p L be reversed in any order?
bool mayRise(const DerivativePlan &Plan, const llvm::Loop &L, const MemoryAvailability &Memory);

/// Null if the reverse of \p I is arithmetic, or reaches one shadow of its own thread.
const char *whyNotPlain(const DerivativePlan &Plan, const llvm::Instruction &I);

/// Do iterations of \p L make parts of the tape?
bool makesTape(const DerivativePlan &Plan, const llvm::Loop &L);

/// Null if \p L keeps the rules that do not need an analysis of memory, else the one it breaks.
const char *whyNotRising(const DerivativePlan &Plan, const llvm::Loop &L);

} // namespace isozyme

#endif
