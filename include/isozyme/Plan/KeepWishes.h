//===- KeepWishes.h - Decisions that others make for the planner -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEPWISHES_H
#define ISOZYME_PLAN_KEEPWISHES_H

#include "isozyme/Plan/KeepDecision.h"
#include "isozyme/Plan/RecomputeGraph.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace isozyme {

/// How values of one derivative are to be had, by "%x primal".
struct KeepWish {
  KeepDecision::Kind K = KeepDecision::Available;
  std::optional<unsigned> Line; ///< Where the value is computed, if that was noted.
};
using KeepWishes = llvm::StringMap<KeepWish>;

/// In which sweeps loops run, by "%header".
struct LoopWish {
  bool ReverseOnly = false;
  std::optional<unsigned> Line; ///< Where the loop begins, if that was noted.
};
using LoopWishes = llvm::StringMap<LoopWish>;

struct PlanWishes {
  KeepWishes Keep;
  LoopWishes Loops;
};

/// A wish that is not followed: for what, and why not.
struct RefusedWish {
  std::string Value, Why;
  llvm::DebugLoc Loc;
};

/// Marks in \p G, the graph of \p P, what \p Wishes ask for. Returns those that would be wrong.
llvm::SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const KeepWishes &Wishes,
                                              RecomputeGraph &G);

} // namespace isozyme

#endif
