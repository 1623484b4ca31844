//===- NeighbourSlots.h - Kept loads that share an array ---------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (y) for (x)  next[y][x] = f(now[y][x - 1], now[y][x], now[y][x + 1], now[y + 1][x])
//
// Four numbers are kept in each iteration, which most elements of `now` are four times. They share
// one array instead, which has a frame for the elements in front of the first and behind the last
// iteration.
// In: what is kept, addresses. Out: the loads, and where in the array each lies.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PLAN_TAPE_NEIGHBOURSLOTS_H
#define ISOZYME_LIB_PLAN_TAPE_NEIGHBOURSLOTS_H

#include "isozyme/Plan/Keep/KeepDecision.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class LoadInst;
class Loop;
} // namespace llvm

namespace isozyme {

class MemoryAvailability;
class PreparedFunction;

struct NeighbourSlot {
  struct Member {
    llvm::LoadInst *Load;
    llvm::SmallVector<int64_t, 3> At; ///< For each loop, from the least that a member has.
    SlotWrite Write = SlotWrite::Each;
  };
  llvm::SmallVector<const llvm::Loop *, 3> Nest; ///< Outermost first.
  llvm::SmallVector<Member, 8> Members;          ///< In program order.

  unsigned haloOf(unsigned Loop) const;
};

/// \p Kept: loads of the function that are kept, in program order.
llvm::SmallVector<NeighbourSlot, 2> findNeighbourSlots(const PreparedFunction &P,
                                                       llvm::ArrayRef<llvm::LoadInst *> Kept,
                                                       const MemoryAvailability &Memory);

} // namespace isozyme

#endif
