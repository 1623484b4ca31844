//===- CheckpointPlan.cpp - Loops that are run in parts --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Checkpoint/CheckpointPlan.h"
#include "SavedMemory.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Plan/PlanWords.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>

using namespace llvm;

namespace isozyme {

bool isCheckpointed(const Function &F) { return F.hasFnAttribute(marking::Checkpointed); }

static std::optional<uint64_t> constantOf(const SCEV *S) {
  auto *C = dyn_cast<SCEVConstant>(S);
  return C ? std::optional(C->getAPInt().getZExtValue()) : std::nullopt;
}

/// Does \p S depend on which iterations are run?
static bool mentions(const SCEV *S, const CheckpointPlan &Plan) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    auto *U = dyn_cast<SCEVUnknown>(Part);
    if (U && isa<Instruction>(U->getValue()))
      return true; // Not looked into.
    auto *A = U ? dyn_cast<Argument>(U->getValue()) : nullptr;
    return A && (A->getArgNo() == Plan.First || A->getArgNo() == Plan.Last);
  });
}

std::optional<uint64_t> CheckpointPlan::iterations() const {
  Attribute Known = Request.Fn->getAttributes().getParamAttr(Last, marking::LastIteration);
  uint64_t Number;
  if (!Known.isValid() || Known.getValueAsString().getAsInteger(10, Number))
    return std::nullopt;
  return Number + 1;
}

DiffRequest CheckpointPlan::partRequest() const {
  DiffRequest R = Request.inMode(DiffMode::Reverse);
  R.MayOverwrite.clear();
  R.Apart.clear();
  R.Fresh.clear();
  R.Steady.clear();
  R.Own.clear();
  R.ReturnPrimal = false;
  // The next part reads memory that the caller does not need.
  for (ArgActivity &A : R.Args)
    if (A == ArgActivity::DupNoNeed)
      A = ArgActivity::Dup;
  return R;
}

CheckpointPlan planCheckpoints(const PreparedFunction &P, const DiffRequest &R,
                               const TypeResult &Types, const CallPlanSet &Calls) {
  CheckpointPlan Plan(P, R);
  const Function &F = *R.Fn;
  auto refuse = [&](const Instruction &At, const char *Why) {
    Plan.Refused = Why;
    Plan.RefusedAt = &At;
    return Plan;
  };
  const Instruction &Start = P.function().getEntryBlock().front();
  for (const Argument &A : F.args()) {
    if (F.getAttributes().hasParamAttr(A.getArgNo(), marking::FirstIteration))
      Plan.First = A.getArgNo();
    if (F.getAttributes().hasParamAttr(A.getArgNo(), marking::LastIteration))
      Plan.Last = A.getArgNo();
  }
  if (acceleratorOf(*F.getParent()))
    return refuse(Start, "this code is for a GPU");
  if (!R.Checks.empty())
    return refuse(Start, "shadows are told apart at run time");
  for (const Instruction &I : instructions(F))
    if (isa<AllocaInst>(I))
      return refuse(Start, "a variable lives as long as the loop");
  SavedMemoryFinder(Plan, Types, Calls).run();
  for (const SavedMemory &M : Plan.Saved)
    for (const SavedPart &Part : M.Parts)
      Plan.Moves |= mentions(Part.Begin, Plan) || mentions(Part.End, Plan);
  return Plan;
}

/// What slot \p S needs in an iteration, multiplied out.
static SmallVector<TapeShare, 2> sharesOf(CheckpointPlan &Plan, const DerivativePlan &Part,
                                          const TapeSlot &S, ArrayRef<const Loop *> Loops) {
  const PreparedFunction &P = Plan.P;
  uint64_t Bytes = P.function().getDataLayout().getTypeAllocSize(S.Elem);
  SmallVector<TapeShare, 2> Shares = {TapeShare{Bytes, {}}};
  for (const Loop *L : Loops) {
    const CanonicalLoop &C = P.canonical(L);
    uint64_t Halo = Part.Tape.haloOf(S, L);
    auto *Last = dyn_cast_or_null<ConstantInt>(C.LastIV);
    if (!Last && (!C.Extent || !isKnownAtEntry(C.Extent))) {
      Plan.UnknownTape = "the iterations of " + operandName(L->getHeader());
      continue;
    }
    SmallVector<TapeShare, 2> More;
    for (TapeShare &Share : Shares) {
      if (!Last && Halo)
        More.push_back({Share.Bytes * Halo, Share.Times});
      if (Last)
        Share.Bytes *= Last->getZExtValue() + 1 + Halo;
      else
        Share.Times.push_back(C.Extent);
    }
    append_range(Shares, More);
  }
  return Shares;
}

void noteTape(CheckpointPlan &Plan, const DerivativePlan &Part) {
  PlanWords Words(Part);
  std::map<std::string, uint64_t> Sizes;
  for (const TapeSlot &S : Part.Tape.slots()) {
    SmallVector<const Loop *, 4> Loops = Part.Tape.loopsOf(S);
    // What lies outside of the loop is there once.
    if (Loops.empty() || Loops.front()->getParentLoop())
      continue;
    Sizes[Words.timesText(S)] += Words.bytesOf(S);
    if (S.Key.P == Part::Tape && S.Key.V)
      Plan.UnknownTape = "the tape of a call";
    for (const TapeShare &Share : sharesOf(Plan, Part, S, ArrayRef(Loops).drop_front())) {
      auto *Same = find_if(Plan.Tape, [&](const TapeShare &T) { return T.Times == Share.Times; });
      if (Same != Plan.Tape.end())
        Same->Bytes += Share.Bytes;
      else
        Plan.Tape.push_back(Share);
    }
  }
  for (auto &[Times, Bytes] : Sizes)
    Plan.WholeTape += (Plan.WholeTape.empty() ? "" : " + ") + byteText(Bytes, Times);
}

std::optional<uint64_t> CheckpointPlan::snapshotBytes() const {
  uint64_t Sum = 0;
  for (const SavedMemory &M : Saved) {
    std::optional<uint64_t> Begin, End;
    for (const SavedPart &Part : M.Parts) {
      std::optional<uint64_t> From = constantOf(Part.Begin), To = constantOf(Part.End);
      if (!From || !To || !Part.If.empty())
        return std::nullopt;
      Begin = Begin ? std::min(*Begin, *From) : *From;
      End = End ? std::max(*End, *To) : *To;
    }
    Sum += *End - *Begin;
  }
  return Sum;
}

std::optional<uint64_t> CheckpointPlan::tapeBytes() const {
  uint64_t Sum = 0;
  for (const TapeShare &T : Tape) {
    if (!T.Times.empty())
      return std::nullopt;
    Sum += T.Bytes;
  }
  return UnknownTape.empty() ? std::optional(Sum) : std::nullopt;
}

} // namespace isozyme
