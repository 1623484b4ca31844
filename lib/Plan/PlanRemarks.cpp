//===- PlanRemarks.cpp - Tell the user what a plan costs ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimisation remarks of pass `isozyme` (docs/remarks.md): Cached and
// GrowableTape cost something (missed), Reloaded is done well (passed), and
// PlanSummary adds up (analysis).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/DerivativePlan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

constexpr const char *PassName = "isozyme";

/// 'x' where the source has a name for it, else what kind of value it is.
static std::string describe(const DerivativePlan &Plan, const Need &N) {
  std::string Name = Plan.P.sourceName(N.V), What;
  if (N.P == Part::Tape)
    return "the tape of the call";
  What = N.P == Part::Shadow ? "the shadow address " : "";
  if (!Name.empty())
    return What + "'" + Name + "'";
  auto *I = cast<Instruction>(N.V);
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    std::string From = Plan.P.sourceName(Load->getPointerOperand());
    return What + (From.empty() ? "a value loaded here" : "a value of '" + From + "'");
  }
  if (auto *Call = dyn_cast<CallBase>(I); Call && Call->getCalledFunction())
    return What + "the result of '" + Call->getCalledFunction()->getName().str() + "'";
  return What + "the result of a " + I->getOpcodeName();
}

static DiagnosticLocation locationOf(const DerivativePlan &Plan, const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  return I ? DiagnosticLocation(Plan.P.placeOf(I).Loc) : DiagnosticLocation();
}

void remarkPlan(const DerivativePlan &Plan) {
  Function &F = Plan.P.original();
  OptimizationRemarkEmitter ORE(&F);
  BasicBlock *Region = &F.getEntryBlock();
  unsigned Kept = 0, Recomputed = 0, Reloaded = 0;
  std::string Sizes;
  for (auto &[N, D] : Plan.Keep) {
    switch (D.K) {
    case KeepDecision::Available:
      break;
    case KeepDecision::Recompute:
      ++Recomputed;
      break;
    case KeepDecision::Reload:
      ++Reloaded;
      ORE.emit([&, &N = N, &D = D] {
        return OptimizationRemark(PassName, "Reloaded", locationOf(Plan, N.V), Region)
               << describe(Plan, N) << " is read again in the reverse sweep: " << D.Reason;
      });
      break;
    case KeepDecision::Cache: {
      ++Kept;
      std::string Size = Plan.Tape.sizeOf(Plan.P, Plan.Tape.slots()[D.Slot]);
      Sizes += (Sizes.empty() ? "" : " + ") + Size;
      ORE.emit([&, &N = N, &D = D] {
        return OptimizationRemarkMissed(PassName, "Cached", locationOf(Plan, N.V), Region)
               << describe(Plan, N) << " is kept for the reverse sweep: " << Size << "; " << D.Reason;
      });
      break;
    }
    }
  }
  for (const TapeRegion &R : Plan.Tape.regions()) {
    if (R.Shape != TapeShape::Growable)
      continue;
    ORE.emit([&] {
      return OptimizationRemarkMissed(PassName, "GrowableTape",
                                      DiagnosticLocation(R.Group.front()->getStartLoc()), Region)
             << "the trip count of this loop is not known before it: its tape grows at run time";
    });
  }
  ORE.emit([&] {
    return OptimizationRemarkAnalysis(PassName, "PlanSummary", DiagnosticLocation(F.getSubprogram()),
                                      Region)
           << "reverse of '" << F.getName() << "': " << std::to_string(Kept) << " values kept"
           << (Sizes.empty() ? "" : " (" + Sizes + ")") << ", " << std::to_string(Recomputed)
           << " computed again, " << std::to_string(Reloaded) << " read again";
  });
}

} // namespace isozyme
