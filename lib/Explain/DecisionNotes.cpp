//===- DecisionNotes.cpp - What the plan decided, beside loops ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decisions that change how fast the derivative runs, and no statement of it.
//
//===----------------------------------------------------------------------===//
#include "ReportBuilder.h"
#include "isozyme/Plan/AtomicCounts.h"
#include "isozyme/Plan/ForwardPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// "a", "a and b", "a, b and c"
static std::string inWords(ArrayRef<std::string> Names) {
  if (Names.size() < 2)
    return Names.empty() ? "" : Names.front();
  return join(Names.drop_back(), ", ") + " and " + Names.back();
}

void ReportBuilder::noteInLoop(const Loop &L, const std::string &Text) {
  if (DebugLoc Loc = L.getStartLoc(); shownPlace(Loc).Line)
    addOnce(Lines.at(Loc).Remarks, Text);
}

/// now.shadow[i - 1], now.shadow[i] and now.shadow[i + 1] ...
void ReportBuilder::noteCarriedSums() {
  for (const CarriedSum &Sum : Plan->Carried.sums()) {
    std::vector<std::string> Places;
    for (const CarriedSum::Member &M : Sum.Members)
      addOnce(Places, Words.memory(M.Load->getPointerOperand(), M.Load->getType(), ".shadow").S);
    noteInLoop(*Sum.L, "the reverse sweep adds up what belongs to " + inWords(Places) +
                           " in registers, and writes each element of the shadow once");
  }
}

void ReportBuilder::noteRisingLoops() {
  for (const Loop *L : Plan->Rising.loops())
    noteInLoop(*L,
               "its iterations are independent of each other, and the reverse sweep runs them in "
               "this order, too");
}

void ReportBuilder::noteSwappedLoops() {
  for (const SwappedNest &Nest : Plan->Swapped.nests())
    noteInLoop(*Nest.Inner, "its reverse would go down columns, and is run around the reverse of "
                            "the loop around it, which goes along rows");
}

void ReportBuilder::noteUnseenSums() {
  for (const UnseenSum &Sum : Plan->Unseen.sums())
    if (DebugLoc Loc = Sum.back()->getDebugLoc(); shownPlace(Loc).Line)
      addOnce(Lines.at(Loc).Remarks,
              "the gradient adds up this sum in any order: only derivatives are computed from it");
}

void ReportBuilder::noteLoopChoices() {
  for (const LoopChoice &Choice : Plan->Fused.choices())
    if (Choice.isLeftForCost())
      noteInLoop(*Choice.L,
                 "could run in the reverse sweep only; to keep what it needs costs less: " +
                     std::to_string(Choice.Keeping) + " of the " + std::to_string(Choice.Work) +
                     " operations of an iteration");
}

void ReportBuilder::noteShadowScopes() {
  std::vector<std::string> Names;
  for (const ShadowScope &Scope : Plan->Scopes.scopes()) {
    std::string Name = Scope.Object ? Words.variable(Scope.Object) : "";
    if (StringRef(Name).ends_with(".begin()"))
      Name.erase(Name.rfind('.')); // What a container holds is spoken of as the container.
    if (!Name.empty())
      addOnce(Names, "'" + Name + "'");
  }
  if (Names.size() == 1)
    D.Remarks.push_back("the shadow of " + Names.front() +
                        " overlaps no other: loops may be vectorised with this knowledge");
  else if (!Names.empty())
    D.Remarks.push_back("the shadows of " + inWords(Names) +
                        " overlap no others: loops may be vectorised with this knowledge");
}

/// On a GPU. Threads that add to one number wait for each other.
void ReportBuilder::noteAtomics() {
  AtomicCounts Counts = atomicCountsOf(*Plan);
  if (Counts.empty())
    return;
  for (const Instruction &I : instructions(P.function()))
    if (const Step &S = Plan->Steps.at(I); isAtomic(S))
      addOnce(
          Lines.at(placeInSource(&I)).Remarks,
          S.Adjoint == AdjointStep::Load
              ? "other threads may add to the shadow of '" + Words.of(&I).S +
                    "', too: the reverse sweep adds to it atomically" +
                    (S.Sum == AdjointSum::PerWarp ? ", once for a warp that comes together" : "")
              : "other threads may use the same shadow: the reverse sweep takes from it "
                "atomically");
  auto sum = [&](bool OnceForWarp) -> std::string {
    Polynomial Sum;
    bool IsAny = false;
    for (const AtomicCounts::Group &Each : Counts.Groups)
      if (Each.OnceForWarp == OnceForWarp) {
        Sum += timesLoops(int64_t(Each.Count), Each.Loops, [](const Loop *) { return 0; });
        IsAny = true;
      }
    return IsAny ? inShort(Sum) : "";
  };
  auto times = [](StringRef Factor, const std::string &Text) {
    if (Text == "1")
      return Factor.str();
    bool IsOne = !StringRef(Text).contains(' ');
    return (Factor + " * " + (IsOne ? Text : "(" + Text + ")")).str();
  };
  std::string OfThread = sum(/*OnceForWarp=*/false), OfWarp = sum(/*OnceForWarp=*/true);
  for (const char *More : Counts.others())
    OfThread += (OfThread.empty() ? "" : " + ") + std::string(More);
  std::string Text = OfThread.empty() ? "" : times("threads", OfThread);
  if (!OfWarp.empty())
    Text += (Text.empty() ? "" : " + ") + times("warps that come together", OfWarp);
  D.Remarks.push_back("atomic operations of a launch, at most: " + Text);
}

void ReportBuilder::noteLanes(const LaneVectors &Vectors) {
  std::string Width = std::to_string(R.Width);
  for (const Loop *L : Vectors.loops())
    noteInLoop(*L, "the " + Width + " tangents of a number are computed together, in a vector");
  for (const LaneCopy &Copy : Vectors.copies().all())
    noteInLoop(*Copy.Where, "before the loop, the " + Width + " tangents of each element of '" +
                                Words.of(Copy.Memory).S + "' are copied side by side");
}

} // namespace isozyme
