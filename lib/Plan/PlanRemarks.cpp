//===- PlanRemarks.cpp - Tell the user what a plan costs ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimisation remarks of pass `isozyme` (docs/remarks.md): Cached and
// GrowableTape cost something (missed), as does NotRepeated, Reloaded is done well (passed), and
// PlanSummary and Atomics add up (analysis). CheckedShadow tells of comparisons at run time
// (missed).
//
//===----------------------------------------------------------------------===//
#include "Keep/RepeatedCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Plan/AtomicCounts.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;

namespace isozyme {

constexpr const char *PassName = "isozyme";

namespace {

class PlanRemarks {
public:
  explicit PlanRemarks(const DerivativePlan &Plan)
      : Plan(Plan), P(Plan.P), F(P.original()), Words(Plan), Emitter(&F),
        Region(&F.getEntryBlock()) {}
  void emit();

private:
  void remarkKept(const Need &N, const KeepDecision &D);
  void remarkGrowing();
  void remarkFused();
  void remarkCarried();
  void remarkUnseen();
  void remarkSwapped();
  void remarkSkips();
  void remarkSummary();
  void remarkAtomics();
  void remarkMarkedCalls();

  const DerivativePlan &Plan;
  const PreparedFunction &P;
  Function &F;
  PlanWords Words;
  OptimizationRemarkEmitter Emitter;
  BasicBlock *Region;
  unsigned Kept = 0, Recomputed = 0, Reloaded = 0;
  /// Bytes per iteration, by what they are multiplied with.
  std::map<std::string, uint64_t> Sizes;
};

} // namespace

/// The user's line; without any that of the function.
static DiagnosticLocation locationOf(const PreparedFunction &P, const DebugLoc &Loc) {
  if (const DILocation *Line = lineOfUser(Loc); Line && Line->getLine())
    return DiagnosticLocation(DebugLoc(Line));
  return DiagnosticLocation(P.original().getSubprogram());
}

static DiagnosticLocation locationOf(const PreparedFunction &P, const Value *V) {
  DebugLoc Loc = placeInSource(V);
  auto *I = dyn_cast<Instruction>(V);
  return locationOf(P, Loc || !I ? Loc : P.placeOf(I).Loc);
}

void PlanRemarks::remarkKept(const Need &N, const KeepDecision &D) {
  const TapeSlot &S = Plan.Tape.slots()[D.Slot];
  std::string Times = Words.timesText(S);
  ++Kept;
  if (S.Key == N) // Neighbours may share it.
    Sizes[Times] += Words.bytesOf(S);
  Emitter.emit([&] {
    return OptimizationRemarkMissed(PassName, "Cached", locationOf(P, N.V), Region)
           << Words.describe(N)
           << " is kept for the reverse sweep: " << byteText(Words.bytesOf(S), Times) << "; "
           << D.Reason;
  });
}

void PlanRemarks::remarkGrowing() {
  for (const TapeRegion &R : Plan.Tape.regions())
    if (R.Shape == TapeShape::Growable)
      Emitter.emit([&] {
        return OptimizationRemarkMissed(PassName, "GrowableTape",
                                        locationOf(P, R.Group.front()->getStartLoc()), Region)
               << "the trip count of this loop is not known before it: its tape grows at run time";
      });
}

void PlanRemarks::remarkFused() {
  for (const FusedLoop &Fused : Plan.Fused.loops())
    Emitter.emit([&] {
      return OptimizationRemark(PassName, "FusedLoop", locationOf(P, Fused.L->getStartLoc()),
                                Region)
             << "this loop runs in the reverse sweep only, each iteration before its adjoint: "
             << (Fused.Late.empty() ? "they are independent" : "they are independent but for sums");
    });
  for (const LoopChoice &C : Plan.Fused.choices())
    if (C.isLeftForCost() && !Plan.Fused.find(C.L))
      Emitter.emit([&] {
        return OptimizationRemarkAnalysis(PassName, "LoopInBothSweeps",
                                          locationOf(P, C.L->getStartLoc()), Region)
               << "this loop could run in the reverse sweep only; to keep what it needs costs "
                  "less: "
               << std::to_string(C.Keeping) << " of the " << std::to_string(C.Work)
               << " operations of an iteration";
      });
}

void PlanRemarks::remarkCarried() {
  for (const CarriedSum &Sum : Plan.Carried.sums())
    Emitter.emit([&] {
      std::string What = Sum.isOfOneElement()
                             ? "the same element in each iteration"
                             : std::to_string(Sum.elements()) + " neighbours of one array";
      return OptimizationRemark(PassName, "CarriedSums", locationOf(P, Sum.L->getStartLoc()),
                                Region)
             << "this loop reads " << What
             << ": what its iterations add to one derivative is summed up in registers, and added "
                "to memory once";
    });
}

void PlanRemarks::remarkSwapped() {
  for (const SwappedNest &Nest : Plan.Swapped.nests())
    Emitter.emit([&] {
      return OptimizationRemark(PassName, "SwappedLoops", locationOf(P, Nest.Inner->getStartLoc()),
                                Region)
             << "the reverse of this loop goes down columns: it is run around the reverse of the "
                "loop that this one is in, which goes along rows";
    });
}

void PlanRemarks::remarkUnseen() {
  for (const UnseenSum &Sum : Plan.Unseen.sums())
    Emitter.emit([&] {
      return OptimizationRemark(PassName, "UnseenSums", locationOf(P, Sum.back()), Region)
             << "this sum is added up in any order: only derivatives are computed from it";
    });
}

void PlanRemarks::remarkSkips() {
  for (const ChosenIteration &C : Plan.Chosen.loops())
    Emitter.emit([&] {
      return OptimizationRemark(PassName, "ChosenIteration", locationOf(P, C.L->getStartLoc()),
                                Region)
             << "of this loop one iteration is reversed: the one in which the result was found";
    });
  for (const ZeroSkip &Skip : Plan.Skips.skips())
    if (Skip.IsTaken)
      Emitter.emit([&] {
        return OptimizationRemark(PassName, "SkippedZeros",
                                  Skip.L ? locationOf(P, Skip.L->getStartLoc())
                                         : locationOf(P, Skip.Tested.front()),
                                  Region)
               << (Skip.L ? "this loop" : "this part of an iteration")
               << (Skip.Unchanged ? " is left out of the reverse sweep where it leaves memory as "
                                    "it was: "
                                  : " is left out of the reverse sweep where the derivatives that "
                                    "come into it are zero: ")
               << std::to_string(Skip.Work) << " operations";
      });
}

void PlanRemarks::remarkSummary() {
  std::string Size;
  for (auto &[Times, Bytes] : Sizes)
    Size += (Size.empty() ? " (" : " + ") + byteText(Bytes, Times);
  Emitter.emit([&] {
    return OptimizationRemarkAnalysis(PassName, "PlanSummary",
                                      DiagnosticLocation(F.getSubprogram()), Region)
           << "reverse of '" << sourceNameOf(F) << "': " << std::to_string(Kept)
           << (Kept == 1 ? " value kept" : " values kept") << Size << (Size.empty() ? "" : ")")
           << ", " << std::to_string(Recomputed) << " computed again, " << std::to_string(Reloaded)
           << " read again";
  });
}

/// On a GPU: threads that add to one number wait for each other.
void PlanRemarks::remarkAtomics() {
  AtomicCounts Atomics = atomicCountsOf(Plan);
  if (Atomics.empty())
    return;
  Emitter.emit([&] {
    return OptimizationRemarkAnalysis(PassName, "Atomics", DiagnosticLocation(F.getSubprogram()),
                                      Region)
           << "reverse of '" << sourceNameOf(F)
           << "': each thread adds to memory that others may add to, atomically and at most so "
              "often: "
           << Atomics.text([&](auto Loops) {
                return Words.timesText(Loops, [](const Loop *) { return 0; });
              });
  });
}

/// Of calls that the user wants repeated in the reverse sweep.
void PlanRemarks::remarkMarkedCalls() {
  for (auto &[Call, Todo] : Plan.Calls) {
    if (!isMarkedShouldRecompute(*Call) || Call->getType()->isVoidTy())
      continue;
    std::string Why = whyNotRepeated(*Call, P);
    const CallBase *Marked = Call;
    if (!Why.empty())
      Emitter.emit([&] {
        return OptimizationRemarkMissed(PassName, "NotRepeated", locationOf(P, Marked), Region)
               << "the mark enzyme_shouldrecompute cannot be followed for this call, since " << Why;
      });
  }
}

void PlanRemarks::emit() {
  for (auto &[N, D] : Plan.Keep) {
    switch (D.K) {
    case KeepDecision::Available:
      break;
    case KeepDecision::Recompute:
      ++Recomputed;
      break;
    case KeepDecision::Reload:
      ++Reloaded;
      Emitter.emit([&, &N = N, &D = D] {
        return OptimizationRemark(PassName, "Reloaded", locationOf(P, N.V), Region)
               << Words.describe(N) << " is read again in the reverse sweep: " << D.Reason;
      });
      break;
    case KeepDecision::Cache:
      remarkKept(N, D);
      break;
    }
  }
  remarkGrowing();
  remarkFused();
  remarkCarried();
  remarkSwapped();
  remarkUnseen();
  remarkSkips();
  remarkMarkedCalls();
  remarkSummary();
  remarkAtomics();
}

/// Of two versions the one for memory that is apart is told of.
static void remarkVersions(const DerivativePlan &Plan) {
  Function &F = Plan.P.original();
  const VersionPlan &V = *Plan.Versions;
  OptimizationRemarkEmitter(&F).emit([&] {
    OptimizationRemark Remark(PassName, "Versions", DiagnosticLocation(F.getSubprogram()),
                              &F.getEntryBlock());
    Remark << "this gradient has a version for memory that does not overlap, which keeps "
           << std::to_string(V.ApartBytes) << " bytes in place of " << std::to_string(V.AnyBytes)
           << " (forecast). In each call it compares the memory behind ";
    unsigned Number = 0,
             Compared = count_if(V.Ranges, [](auto &R) { return !R.IsGiven && !R.Stage; });
    for (const AccessedRange &Range : ArrayRef(V.Ranges).take_front(Compared)) {
      if (Number)
        Remark << (Number + 1 == Compared ? " and " : ", ");
      ++Number;
      Remark << "'" << V.measured(Plan).P.sourceName(Range.Base) << "'";
    }
    return Remark;
  });
  PlanRemarks(*V.Apart).emit();
}

void remarkPlan(const DerivativePlan &Plan) {
  if (Plan.Versions && Plan.Versions->Apart)
    remarkVersions(Plan);
  else
    PlanRemarks(Plan).emit();
}

void remarkChecks(const PreparedFunction &P, const StepPlan &Steps) {
  Function &F = P.original();
  OptimizationRemarkEmitter Emitter(&F);
  auto Tell = [&](const Value *V, DiagnosticLocation Where) {
    if (Steps.checkOf(V) == ShadowCheck::None)
      return;
    Emitter.emit([&] {
      std::string Name = P.sourceName(V);
      return OptimizationRemarkMissed(PassName, "CheckedShadow", Where, &F.getEntryBlock())
             << (Name.empty() ? "a pointer" : "'" + Name + "'") << " "
             << checkSentence(Steps.checkOf(V));
    });
  };
  for (const Argument &A : P.function().args())
    Tell(&A, DiagnosticLocation(F.getSubprogram()));
  // Where the pointer comes from; what is computed from it has its answer.
  for (const Instruction &I : instructions(P.function()))
    if (isa<LoadInst, PHINode, SelectInst, CallBase>(I))
      Tell(&I, locationOf(P, &I));
}

} // namespace isozyme
