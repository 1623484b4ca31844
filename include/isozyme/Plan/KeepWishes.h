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
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace isozyme {

/// What somebody wishes for a value or a loop that goes by a name.
struct Wish {
  std::optional<unsigned> Line; ///< Where it stood when the wish was made, if that was noted.
  bool isElsewhere(unsigned Now) const { return Line && *Line != Now; }
};

/// How values of one derivative are to be had, by "%x primal".
struct KeepWish : Wish {
  KeepDecision::Kind K = KeepDecision::Available;
};
using KeepWishes = llvm::StringMap<KeepWish>;

/// In which sweeps loops run, by "%header".
struct LoopWish : Wish {
  bool ReverseOnly = false;
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

/// The wish for \p Name; null: there is none.
template <typename W> const W *wishFor(const llvm::StringMap<W> &Wishes, const std::string &Name) {
  auto It = Wishes.find(Name);
  return It == Wishes.end() ? nullptr : &It->second;
}

/// Refuses those of \p Wishes whose names are not in \p Found, in the order of their names.
template <typename W>
void refuseMissing(const llvm::StringMap<W> &Wishes, const llvm::StringSet<> &Found,
                   const char *Why, llvm::SmallVectorImpl<RefusedWish> &Refused) {
  llvm::SmallVector<llvm::StringRef, 4> Missing;
  for (llvm::StringRef Name : Wishes.keys())
    if (!Found.contains(Name))
      Missing.push_back(Name);
  llvm::sort(Missing);
  for (llvm::StringRef Name : Missing)
    Refused.push_back({Name.str(), Why, {}});
}

/// Marks in \p G, the graph of \p P, what \p Wishes ask for. Returns those that would be wrong.
llvm::SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const KeepWishes &Wishes,
                                              RecomputeGraph &G);

} // namespace isozyme

#endif
