//===- KeepWishes.h - Decisions that others make for the planner -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_KEEPWISHES_H
#define ISOZYME_PLAN_KEEP_KEEPWISHES_H

#include "isozyme/Plan/Keep/KeepDecision.h"
#include "isozyme/Plan/Keep/RecomputeGraph.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace isozyme {

class LateStores;
class NeedNames;
class CarriedSums;
class ShadowScopes;
class StepPlan;
class ZeroSkips;
struct ComputedCall;

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

/// Which of two things is done.
struct ChoiceWish : Wish {
  bool IsSecond = false;
};
using ChoiceWishes = llvm::StringMap<ChoiceWish>;

struct PlanWishes {
  KeepWishes Keep;
  ChoiceWishes Loops;    ///< By "%header": in both sweeps, or in the reverse sweep only.
  ChoiceWishes Stores;   ///< By "%address in %block": in place, or after the reverse sweep.
  ChoiceWishes Computed; ///< By "%value cos": called by its rule, or taken from the program.
  ChoiceWishes Shadows;  ///< By "%object": may overlap others, or apart from them.
  ChoiceWishes Sums;     ///< By "%load": added at once, or carried in registers.
  ChoiceWishes Skips;    ///< By "loop %header" or "block %name": reversed always, or unless zero.

  bool empty() const {
    return Keep.empty() && Loops.empty() && Stores.empty() && Computed.empty() && Shadows.empty() &&
           Sums.empty() && Skips.empty();
  }
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

/// Is the first of two things wished for what is called \p Name and stands in \p Line?
bool wishesFirst(const ChoiceWishes &Wishes, const std::string &Name, unsigned Line);

/// What a wish may be for, with the decision that was taken.
struct Choosable {
  std::string Name;
  const llvm::Value *V;
  bool IsSecond;
};
/// Those of \p Wishes that are not followed: they stand elsewhere, the second thing \p Cannot be
/// done, or they are \p Missing in \p All.
llvm::SmallVector<RefusedWish, 2> refusedChoices(const ChoiceWishes &Wishes,
                                                 llvm::ArrayRef<Choosable> All, const char *Cannot,
                                                 const char *Missing);

/// "%address in %block", in Stores.
std::string nameOfStore(NeedNames &Names, const llvm::StoreInst &S);
/// "%value cos", in Computed.
std::string nameOfCall(NeedNames &Names, const llvm::Instruction &I, const ComputedCall &C);

/// Calls again in \p Steps what \p Wishes say. Returns those that nothing follows.
llvm::SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                              StepPlan &Steps);
/// Always reverses in \p Skips what \p Wishes say. Returns those that nothing follows.
llvm::SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                              ZeroSkips &Skips);
/// The wishes for stores that \p Late does not follow.
llvm::SmallVector<RefusedWish, 2> refusedStores(const PreparedFunction &P,
                                                const ChoiceWishes &Wishes, const LateStores &Late);
/// Likewise for shadows that are apart, and for sums that loops carry.
llvm::SmallVector<RefusedWish, 2>
refusedShadows(const PreparedFunction &P, const ChoiceWishes &Wishes, const ShadowScopes &Scopes);
llvm::SmallVector<RefusedWish, 2> refusedSums(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                              const CarriedSums &Carried);

/// Marks in \p G, the graph of \p P, what \p Wishes ask for. Returns those that would be wrong.
llvm::SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const KeepWishes &Wishes,
                                              RecomputeGraph &G);

} // namespace isozyme

#endif
