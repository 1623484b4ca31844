//===- ChosenIterations.cpp - Loops of which one iteration counts ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has to hold:
//
//   all that has an adjoint behind the loop, or in     in other iterations there is no adjoint
//   the next iteration, is handed on or replaced by
//   choices, and in the same iterations
//   what is handed on is used for nothing else         it gets no adjoint on the way
//   the loop only hands adjoints on: arithmetic,       what comes in is zero, so is what is
//   choices, loads                                     handed on
//   inner loops have as many iterations each time,     no tape is made or released inside
//   known in front of the loop
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/ChosenIterations.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/NeedNames.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace isozyme {

bool ChosenIteration::contains(const Value *V) const {
  auto IsV = [&](const Instruction *I) { return I == V; };
  return any_of(All, IsV) || any_of(Carried, IsV);
}

Instruction *ChosenIteration::next(const PHINode &Carried) const {
  return cast<Instruction>(Carried.getIncomingValueForBlock(L->getLoopLatch()));
}

Value *ChosenIteration::alternative(const SelectInst &Select) const {
  SmallVector<Value *, 2> From = alternativesOf(Select);
  for (Value *V : From)
    if (is_contained(Carried, V))
      return V == From.front() ? From.back() : From.front();
  return nullptr;
}

const ChosenIteration *ChosenIterations::find(const Loop *L) const {
  const auto *At = find_if(All, [&](const ChosenIteration &C) { return C.L == L; });
  return L && At != All.end() ? At : nullptr;
}

const ChosenIteration *ChosenIterations::of(const Value *V) const {
  const auto *At = find_if(All, [&](const ChosenIteration &C) { return C.contains(V); });
  return At == All.end() ? nullptr : At;
}

void ChosenIterations::print(raw_ostream &OS) const {
  for (const ChosenIteration &C : All) {
    OS << "    loop " << operandName(C.L->getHeader())
       << "  one iteration is reversed: " << operandName(C.Last) << ", which has given";
    for (const PHINode *Carried : C.Carried)
      OS << ' ' << operandName(C.next(*Carried));
    OS << '\n';
  }
}

static bool isReversed(const DerivativePlan &Plan, const Instruction &I) {
  return Plan.Steps.at(I).Adjoint != AdjointStep::Nothing;
}

/// Does the reverse of \p I, in \p L, only hand its adjoint on?
static bool onlyHandsOn(const DerivativePlan &Plan, const Instruction &I, const Loop &L) {
  auto *Load = Plan.Steps.at(I).Adjoint == AdjointStep::Load ? cast<LoadInst>(&I) : nullptr;
  const CarriedSum *Sum = Load ? Plan.Carried.find(*Load) : nullptr;
  return Plan.Steps.at(I).onlyHandsAdjointOn() && !(Load && Load->isVolatile()) &&
         !(Sum && Sum->L == &L);
}

/// Does \p V, which is \p Carried or a choice on its way, get an adjoint from such choices only, or
/// from behind the loop? The second nearest, which was the nearest, gets one from another choice.
static bool isOnlyChosen(const DerivativePlan &Plan, const ChosenIteration &C,
                         const PHINode &Carried, const Choices &OnWay, const Instruction &V) {
  return all_of(V.users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    bool Leaves = C.next(Carried) == &V && (I == &Carried || !C.L->contains(I));
    return !isReversed(Plan, *I) || Leaves ||
           any_of(OnWay, [&](const Instruction *Choice) { return Choice == I; });
  });
}

static const char *whyNotAlone(const DerivativePlan &Plan, const ChosenIteration &C) {
  for (const PHINode &Phi : C.L->getHeader()->phis())
    if (isReversed(Plan, Phi) && !is_contained(C.Carried, &Phi))
      return "that hands on more than what is chosen";
  for (const PHINode *Phi : C.Carried) {
    Choices OnWay = choicesOf(*Phi, Plan.P.loops());
    if (!isOnlyChosen(Plan, C, *Phi, OnWay, *Phi) || any_of(OnWay, [&](const Instruction *I) {
          return !isOnlyChosen(Plan, C, *Phi, OnWay, *I);
        }))
      return "that computes with what is handed on";
  }
  for (const BasicBlock *BB : C.L->blocks())
    for (const Instruction &I : *BB) {
      if (!onlyHandsOn(Plan, I, *C.L))
        return "that does more than to hand adjoints on";
      if (!C.contains(&I) && any_of(I.users(), [&](const User *U) {
            return !C.L->contains(cast<Instruction>(U)) && isReversed(Plan, *cast<Instruction>(U));
          }))
        return "that has other results";
    }
  return nullptr;
}

static bool isKnownBefore(const PreparedFunction &P, const Loop &Inner, const Loop &L) {
  const CanonicalLoop &Known = P.canonical(&Inner);
  auto *Extent = dyn_cast_or_null<Instruction>(Known.Extent);
  return Known.LastIV && Known.Extent && (!Extent || !L.contains(Extent));
}

const char *whyNotChosen(const DerivativePlan &Plan, const ChosenIteration &C) {
  const PreparedFunction &P = Plan.P;
  if (!is_contained(Plan.CFG->loops(), C.L) || C.Carried.empty())
    return "that is not reversed";
  if (Plan.Fused.find(C.L))
    return "that runs in the reverse sweep";
  for (PHINode *Phi : C.Carried)
    if (!is_contained(P.canonical(C.L).Chosen, std::pair(Phi, C.Last)))
      return "that replaces its values in several iterations";
  for (const Loop *In : P.loops().getLoopsInPreorder())
    if (In != C.L && C.L->contains(In) && !isKnownBefore(P, *In, *C.L))
      return "in which others have no number of iterations that is known before it";
  return whyNotAlone(Plan, C);
}

ChosenIterations findChosenIterations(const DerivativePlan &Plan) {
  ChosenIterations Found;
  if (!Plan.P.returnBlock() || !options().Chosen || !options().StrongZero ||
      !Plan.Watches.empty() ||
      acceleratorOf(*Plan.P.original().getParent())) // Nobody has measured.
    return Found;
  for (const Loop *L : Plan.CFG->loops()) {
    ChosenIteration C;
    C.L = L;
    for (auto [Phi, Last] : Plan.P.canonical(L).Chosen)
      if (isReversed(Plan, *Phi)) {
        C.Last = Last;
        C.Carried.insert(Phi);
        C.All.insert_range(choicesOf(*Phi, Plan.P.loops()));
      }
    if (!whyNotChosen(Plan, C))
      Found.add(std::move(C));
  }
  return Found;
}

} // namespace isozyme
