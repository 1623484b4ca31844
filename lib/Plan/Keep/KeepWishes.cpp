//===- KeepWishes.cpp - Decisions that others make for the planner ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wish is followed where the derivative stays right: any value can be kept, but only some can
// be had again. The rest of the plan is chosen around what is wished for.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/KeepWishes.h"
#include "isozyme/Needs/LateStores.h"
#include "isozyme/Plan/Keep/ZeroSkips.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Plan/Order/CarriedSums.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Plan/Steps/ShadowScopes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

constexpr const char *ByFile = "as the file of plans says";

/// "" if \p V, of that \p Node, can be had in the way of \p Wish, which is then noted.
static std::string follow(const KeepWish &Wish, const Value *V, RecomputeNode &Node) {
  bool IsAgain = Wish.K == KeepDecision::Recompute || Wish.K == KeepDecision::Reload;
  if (Node.K == RecomputeNode::Free)
    return Wish.K == KeepDecision::Available ? "" : "it is at hand (" + Node.Reason + ")";
  if (Wish.K == KeepDecision::Available)
    return "it is not at hand in the reverse sweep";
  if (IsAgain && Node.K == RecomputeNode::Fixed)
    return "it can only be kept (" + Node.Reason + ")";
  if (IsAgain && (Wish.K == KeepDecision::Reload) != (Node.K == RecomputeNode::Reload))
    return Node.K == RecomputeNode::Reload ? "it is a load, which is reloaded"
           : isa<LoadInst>(V) ? "the memory has changed, but not what was stored, which "
                                "is recomputed"
                              : "it is no load, and is recomputed";
  Node.MustKeep = !IsAgain;
  Node.MustCompute = IsAgain;
  if (Node.K != RecomputeNode::Fixed)
    Node.Reason = ByFile;
  return "";
}

SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const KeepWishes &Wishes,
                                        RecomputeGraph &G) {
  SmallVector<RefusedWish, 2> Refused;
  StringSet<> Found;
  NeedNames Names(P);
  for (auto &[N, Node] : G) {
    std::string Name = Names.nameOf(N);
    const KeepWish *Wish = wishFor(Wishes, Name);
    if (!Wish)
      continue;
    Found.insert(Name);
    unsigned Line = NeedNames::lineOf(N.V);
    std::string WhyNot;
    if (Wish->isElsewhere(Line))
      WhyNot = "it is computed in line " + std::to_string(Line) + " now, not in line " +
               std::to_string(*Wish->Line);
    else
      WhyNot = follow(*Wish, N.V, Node);
    if (!WhyNot.empty())
      Refused.push_back({Name, WhyNot, placeInSource(N.V)});
  }
  refuseMissing(Wishes, Found, "the reverse sweep needs no such value", Refused);
  return Refused;
}

/// Why \p Wish is not for what stands in \p Line; "" if it may be.
static std::string elsewhere(const Wish &Wish, unsigned Line) {
  if (!Wish.isElsewhere(Line))
    return "";
  return "it stands in line " + std::to_string(Line) + " now, not in line " +
         std::to_string(*Wish.Line);
}

std::string nameOfStore(NeedNames &Names, const StoreInst &S) {
  return Names.nameOf(S.getPointerOperand()) + " in " + Names.nameOf(S.getParent());
}

std::string nameOfCall(NeedNames &Names, const Instruction &I, const ComputedCall &C) {
  return Names.nameOf(&I) + " " + opInfo(C.Call.Fn).Name.str();
}

SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                        StepPlan &Steps) {
  SmallVector<RefusedWish, 2> Refused;
  StringSet<> Found;
  NeedNames Names(P);
  for (auto &[I, Calls] : Steps.computed())
    for (ComputedCall &C : Calls) {
      std::string Name = nameOfCall(Names, *I, C);
      const ChoiceWish *Wish = wishFor(Wishes, Name);
      if (!Wish)
        continue;
      Found.insert(Name);
      std::string WhyNot = elsewhere(*Wish, NeedNames::lineOf(I));
      if (WhyNot.empty())
        C.IsTaken = Wish->IsSecond;
      else
        Refused.push_back({Name, WhyNot, placeInSource(I)});
    }
  refuseMissing(Wishes, Found, "the program computes no such value where its rule calls it",
                Refused);
  return Refused;
}

bool wishesFirst(const ChoiceWishes &Wishes, const std::string &Name, unsigned Line) {
  const ChoiceWish *Wish = wishFor(Wishes, Name);
  return Wish && !Wish->IsSecond && !Wish->isElsewhere(Line);
}

SmallVector<RefusedWish, 2> applyWishes(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                        ZeroSkips &Skips) {
  NeedNames Names(P);
  SmallVector<Choosable, 4> All;
  for (ZeroSkip &Skip : Skips.skips()) {
    std::string Name = nameOfSkip(Names, Skip);
    Skip.IsTaken = !wishesFirst(Wishes, Name, NeedNames::lineOf(Skip.Tested.front()));
    All.push_back({Name, Skip.Tested.front(), true});
  }
  return refusedChoices(Wishes, All, "", "nothing is won there by a test for adjoints of zero");
}

SmallVector<RefusedWish, 2> refusedChoices(const ChoiceWishes &Wishes, ArrayRef<Choosable> All,
                                           const char *Cannot, const char *Missing) {
  SmallVector<RefusedWish, 2> Refused;
  StringSet<> Found;
  for (const Choosable &Each : All) {
    const ChoiceWish *Wish = wishFor(Wishes, Each.Name);
    if (!Wish)
      continue;
    Found.insert(Each.Name);
    std::string WhyNot = elsewhere(*Wish, NeedNames::lineOf(Each.V));
    if (WhyNot.empty() && Wish->IsSecond && !Each.IsSecond)
      WhyNot = Cannot;
    if (!WhyNot.empty())
      Refused.push_back({Each.Name, WhyNot, placeInSource(Each.V)});
  }
  refuseMissing(Wishes, Found, Missing, Refused);
  return Refused;
}

SmallVector<RefusedWish, 2> refusedStores(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                          const LateStores &Late) {
  SmallVector<Choosable, 8> All;
  NeedNames Names(P);
  for (const Instruction &I : instructions(P.function()))
    if (auto *S = dyn_cast<StoreInst>(&I))
      All.push_back({nameOfStore(Names, *S), S, Late.contains(*S)});
  return refusedChoices(Wishes, All, "the store cannot wait, or nothing is won by it",
                        "there is no such store");
}

SmallVector<RefusedWish, 2> refusedShadows(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                           const ShadowScopes &Scopes) {
  SmallVector<Choosable, 8> All;
  NeedNames Names(P);
  for (const ShadowScope &S : Scopes.scopes())
    if (S.Object)
      All.push_back({Names.nameOf(S.Object), S.Object, true});
  for (const Value *Object : Scopes.left())
    All.push_back({Names.nameOf(Object), Object, false});
  return refusedChoices(Wishes, All, "", "its shadow is not known to be apart from others");
}

SmallVector<RefusedWish, 2> refusedSums(const PreparedFunction &P, const ChoiceWishes &Wishes,
                                        const CarriedSums &Carried) {
  SmallVector<Choosable, 8> All;
  NeedNames Names(P);
  for (const CarriedSum &Sum : Carried.sums())
    All.push_back({Names.nameOf(Sum.furthestAhead()), Sum.furthestAhead(), true});
  for (const CarriedSum &Sum : Carried.left())
    All.push_back({Names.nameOf(Sum.furthestAhead()), Sum.furthestAhead(), false});
  return refusedChoices(Wishes, All, "", "no loop can carry a sum that this load ends");
}

} // namespace isozyme
