//===- StepNeeds.cpp - What a step of the reverse sweep reads -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: steps.  Out: for each instruction, the primal values, shadows and tapes that its
// adjoint reads. The emitters ask for exactly these; a mismatch is reported, not repaired.
//
//===----------------------------------------------------------------------===//
#include "ReverseSteps.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {

class StepNeeds {
public:
  StepNeeds(const PreparedFunction &P, const CallPlanSet &Calls, const StepPlan &Steps,
            CalleeQuery Query, function_ref<void(Need)> Add)
      : P(P), Calls(Calls), Steps(Steps), Query(Query), Add(Add) {}
  void visit(Instruction &I);

private:
  void address(Value *Ptr, ShadowReach R);
  void rule(Instruction &I, const Step &S);
  void callee(CallBase &Call);
  void release(CallBase &Call);

  const PreparedFunction &P;
  const CallPlanSet &Calls;
  const StepPlan &Steps;
  CalleeQuery Query;
  function_ref<void(Need)> Add;
};

} // namespace

/// Where the reverse sweep goes to shadow memory; the address itself tells where there
/// may be none.
void StepNeeds::address(Value *Ptr, ShadowReach R) {
  if (R == ShadowReach::None)
    return;
  Add({Ptr, Part::Shadow});
  if (R != ShadowReach::Direct)
    Add({Ptr, Part::Primal});
}

/// What the partials of the operands that have an adjoint read.
void StepNeeds::rule(Instruction &I, const Step &S) {
  OpView V = viewOf(I, P.libraryInfo());
  for (unsigned Wrt = 0; Wrt < V.Operands.size(); ++Wrt) {
    if (!hasPartial(V, Wrt) || !Steps.of(V.Operands[Wrt]).Adjoint)
      continue;
    PartialNeeds N =
        partialNeeds(V, Wrt, [&](RuleCall Call) { return Steps.computedFor(I, Call) != nullptr; });
    for (RuleCall Call : N.Calls)
      Add({Steps.computedFor(I, Call), Part::Primal});
    for (unsigned Operand : N.Operands)
      Add({V.Operands[Operand], Part::Primal});
    if (N.Result)
      Add({&I, Part::Primal});
  }
  if (V.WritesZeroTo)
    address(V.WritesZeroTo, S.Shadow);
}

void StepNeeds::callee(CallBase &Call) {
  const CallPlan &Plan = Calls.find(&Call)->second;
  CalleeReads Reads = Query(Plan);
  for (unsigned I = 0; I < Plan.Callee.Args.size(); ++I) {
    if (Reads.Primal.test(I))
      Add({Call.getArgOperand(I), Part::Primal});
    if (Plan.Callee.hasShadow(I) && Reads.Shadow.test(I))
      Add({Call.getArgOperand(I), Part::Shadow});
  }
  if (Reads.HasTape)
    Add({&Call, Part::Tape});
}

/// The release is put off to the end of the reverse sweep: all operands then.
void StepNeeds::release(CallBase &Call) {
  for (Value *Operand : Call.args())
    Add({Operand, Part::Primal});
  if (!Steps.at(Call).OnTape)
    Add({freedPointer(Call, P.libraryInfo()), Part::Shadow});
}

void StepNeeds::visit(Instruction &I) {
  const Step &S = Steps.at(I);
  switch (S.Adjoint) {
  case AdjointStep::Load:
  case AdjointStep::Store:
  case AdjointStep::Atomic: {
    auto *RMW = dyn_cast<AtomicRMWInst>(&I);
    return address(RMW ? RMW->getPointerOperand() : getLoadStorePointerOperand(&I), S.Shadow);
  }
  case AdjointStep::Extremum: {
    auto &RMW = cast<AtomicRMWInst>(I);
    address(RMW.getPointerOperand(), S.Shadow);
    Add({RMW.getPointerOperand(), Part::Primal});
    return Add({RMW.getValOperand(), Part::Primal});
  }
  case AdjointStep::MaskedLoad:
  case AdjointStep::MaskedStore: {
    MaskedAccess Access = *maskedAccess(I);
    address(Access.Address, S.Shadow);
    return Add({Access.Mask, Part::Primal});
  }
  case AdjointStep::Copy:
  case AdjointStep::Clear: {
    auto &M = cast<MemIntrinsic>(I);
    address(M.getRawDest(), S.Shadow);
    if (auto *Copy = dyn_cast<MemTransferInst>(&M))
      address(Copy->getRawSource(), S.Source);
    return Add({M.getLength(), Part::Primal});
  }
  case AdjointStep::Choose:
    return Add({cast<SelectInst>(I).getCondition(), Part::Primal});
  case AdjointStep::PutBack:
    if (isa<ExtractElementInst, InsertElementInst>(I))
      Add({I.getOperand(isa<ExtractElementInst>(I) ? 1 : 2), Part::Primal});
    return;
  case AdjointStep::HandBack:
    for (Value *Operand : drop_begin(cast<CallBase>(I).args()))
      Add({Operand, Part::Primal});
    return;
  case AdjointStep::Wait: // For whom.
    if (auto *Call = dyn_cast<CallBase>(&I))
      for (Value *Operand : Call->args())
        Add({Operand, Part::Primal});
    return;
  case AdjointStep::Rule:
    return rule(I, S);
  case AdjointStep::Call:
    return callee(cast<CallBase>(I));
  case AdjointStep::Release:
    return release(cast<CallBase>(I));
  case AdjointStep::ReleaseShadow:
    return Add({&I, Part::Shadow});
  case AdjointStep::Nothing:
  case AdjointStep::Seed:
  case AdjointStep::HandOn:
  case AdjointStep::Pass:
  case AdjointStep::ReleaseLocal:
    return;
  }
}

void needsOf(const PreparedFunction &P, const CallPlanSet &Calls, const StepPlan &Steps,
             Instruction &I, CalleeQuery Query, function_ref<void(Need)> Add) {
  StepNeeds(P, Calls, Steps, Query, Add).visit(I);
}

} // namespace isozyme
