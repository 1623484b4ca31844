//===- StepPlan.cpp - One verdict for every instruction -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: steps that are decided.  Out: answers, text, and whether they hold together.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/StepPlan.h"
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

bool Step::onlyHandsAdjointOn() const {
  switch (Adjoint) {
  case AdjointStep::Nothing:
  case AdjointStep::HandOn:
  case AdjointStep::Pass:
  case AdjointStep::Choose:
  case AdjointStep::PutBack:
  case AdjointStep::Load:
    return true;
  case AdjointStep::Rule: // One that leaves a zero in memory does more.
    return Shadow == ShadowReach::None;
  default:
    return false;
  }
}

const Step &StepPlan::at(const Instruction &I) const {
  static const Step Nothing;
  auto It = Steps.find(&I);
  return It == Steps.end() ? Nothing : It->second;
}

ValuePlan StepPlan::of(const Value *V) const {
  if (auto It = Values.find(V); It != Values.end())
    return It->second;
  ValuePlan Inactive;
  if (!isa<ConstantData>(V) && containsPointer(V->getType()))
    Inactive.Shadow = Unlisted;
  return Inactive;
}

ShadowCheck StepPlan::checkOf(const Value *V) const {
  return of(V).Shadow == ShadowForm::Itself ? ShadowCheck::None : Checks.lookup(V);
}

const ByteRuns &StepPlan::bytesOf(const Instruction &I) const {
  static const ByteRuns None;
  auto It = Bytes.find(&I);
  return It == Bytes.end() ? None : It->second;
}

Instruction *StepPlan::computedFor(const Instruction &I, RuleCall Call) const {
  if (auto It = Computed.find(&I); It != Computed.end())
    for (const ComputedCall &C : It->second)
      if (C.IsTaken && C.Call == Call)
        return C.By;
  return nullptr;
}

StringRef StepPlan::contentsOf(const AllocaInst &A) const {
  auto It = Contents.find(&A);
  return It == Contents.end() ? StringRef() : StringRef(It->second);
}

// --- Text ---

static bool isObvious(ShadowReach R) { return R == ShadowReach::None || R == ShadowReach::Direct; }

static void printGuards(unsigned Guards, raw_ostream &OS) {
  OS << "  zero stays zero in";
  for (unsigned Wrt = 0; Guards >> Wrt; ++Wrt)
    if (Guards & (1u << Wrt))
      OS << " #" << Wrt;
}

/// `%x = load`, `store %p`
static void printInstruction(const Instruction &I, raw_ostream &OS) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!I.getType()->isVoidTy())
    OS << operandName(&I) << " = ";
  OS << I.getOpcodeName();
  if (Call)
    OS << ' ' << operandName(Call->getCalledOperand());
  else if (I.getType()->isVoidTy() && I.getNumOperands())
    OS << ' ' << operandName(I.getOperand(I.getNumOperands() - 1));
}

void StepPlan::print(raw_ostream &OS) const {
  bool IsFirst = true;
  for (auto &[I, S] : Steps) {
    const ByteRuns &Moves = bytesOf(*I);
    bool Plain = isObvious(S.Shadow) && isObvious(S.Source) && S.Sum == AdjointSum::Plain &&
                 S.Why == StepReason::Obvious && !S.TakesAtOnce && !S.Waits && !S.OnTape &&
                 (S.Data == ShadowData::Tangent || S.Data == ShadowData::Number);
    auto Found = Computed.find(I);
    if (Plain && !S.Guards && Moves.Runs.empty() && Found == Computed.end())
      continue;
    OS << (IsFirst ? "  steps\n    " : "    ");
    IsFirst = false;
    printInstruction(*I, OS);
    OS << ": ";
    if (S.Tangent != TangentStep::Nothing)
      OS << wordFor(S.Tangent);
    if (S.Sweep != SweepStep::Nothing)
      OS << wordFor(S.Sweep) << (S.Adjoint != AdjointStep::Nothing ? ", " : "");
    if (S.Adjoint != AdjointStep::Nothing)
      OS << wordFor(S.Adjoint);
    if (!isObvious(S.Shadow))
      OS << "  shadow " << wordFor(S.Shadow);
    if (!isObvious(S.Source))
      OS << "  source " << wordFor(S.Source);
    if (S.Sum != AdjointSum::Plain)
      OS << "  " << wordFor(S.Sum) << (S.Negated ? " negated" : "");
    if (S.TakesAtOnce)
      OS << "  taken at once";
    if (S.OnTape)
      OS << "  shadow on the tape";
    if (S.Waits)
      OS << "  after the reverse sweep";
    if (S.Data != ShadowData::Tangent)
      OS << "  " << wordFor(S.Data);
    if (S.Guards)
      printGuards(S.Guards, OS);
    for (unsigned K = 0; Found != Computed.end() && K < Found->second.size(); ++K)
      OS << "  " << opInfo(Found->second[K].Call.Fn).Name
         << (Found->second[K].IsTaken ? " is " : " is called in spite of ")
         << operandName(Found->second[K].By);
    if (!Moves.Runs.empty()) {
      OS << "  ";
      Moves.print(OS);
    }
    if (StringRef Why = wordFor(S.Why); !Why.empty())
      OS << "  (" << Why << ')';
    OS << '\n';
  }
}

// --- Soundness ---

/// What is wrong with \p S at \p I; "" if nothing is.
static StringRef faultOf(const Instruction &I, const Step &S) {
  bool IsForward = S.Tangent != TangentStep::Nothing;
  bool IsRule = S.Adjoint == AdjointStep::Rule || S.Tangent == TangentStep::Rule;
  bool Accesses = isa<LoadInst, StoreInst, AtomicRMWInst, AnyMemIntrinsic>(I) || maskedAccess(I);
  bool MovesFloats = S.Adjoint == AdjointStep::Load || S.Adjoint == AdjointStep::Store ||
                     S.Adjoint == AdjointStep::MaskedLoad ||
                     S.Adjoint == AdjointStep::MaskedStore || S.Adjoint == AdjointStep::Atomic ||
                     S.Adjoint == AdjointStep::Extremum;
  if (IsForward && (S.Sweep != SweepStep::Nothing || S.Adjoint != AdjointStep::Nothing))
    return "has steps of two modes";
  if (MovesFloats && !S.Moved)
    return "moves adjoints of no type";
  if ((MovesFloats || S.Adjoint == AdjointStep::Copy || S.Adjoint == AdjointStep::Clear) &&
      S.Shadow == ShadowReach::None)
    return "moves adjoints in memory without a shadow";
  if (!Accesses && S.Shadow != ShadowReach::None && !IsRule)
    return "reaches the shadow of no memory";
  if (S.Source != ShadowReach::None && S.Adjoint != AdjointStep::Copy &&
      S.Tangent != TangentStep::Copy)
    return "has a source but copies nothing";
  if ((S.Sweep == SweepStep::Check) && S.Shadow != ShadowReach::Stopped)
    return "checks what cannot be lost";
  if (S.Sweep == SweepStep::Expect && S.Adjoint != AdjointStep::Extremum)
    return "expects the result of what has none";
  if (S.Shadow == ShadowReach::Stopped && S.Sweep == SweepStep::Nothing && !IsForward)
    return "may lose a derivative, which nobody checks";
  if (S.StopsAtOverlap && S.Shadow != ShadowReach::Paged)
    return "fears an overlap outside of pages";
  if (S.TakesAtOnce && S.Adjoint != AdjointStep::Copy)
    return "takes nothing";
  if (S.Waits && (S.Sweep != SweepStep::StoreAddress || S.Shadow != ShadowReach::Direct))
    return "waits, but stores no address in a shadow that is known";
  if (S.OnTape && S.Adjoint != AdjointStep::Release &&
      (S.Sweep != SweepStep::MakeShadow || S.Adjoint != AdjointStep::ReleaseShadow))
    return "has a shadow on the tape that nobody releases";
  if (S.Negated && S.Sum != AdjointSum::Atomic)
    return "negates what is no atomic sum";
  if (S.Guards && !IsRule)
    return "guards what is no rule";
  if (S.Sum == AdjointSum::PerThread)
    return "adds to copies of threads, which no target does yet";
  if (S.Sum == AdjointSum::PerWarp &&
      (S.Why != StepReason::OtherThreads || S.Adjoint != AdjointStep::Load ||
       S.Shadow != ShadowReach::Direct))
    return "adds once for a warp what is no load that other threads add to";
  return "";
}

bool StepPlan::verify(const PreparedFunction &P, raw_ostream &OS) const {
  for (auto &[I, S] : Steps) {
    StringRef Fault = faultOf(*I, S);
    bool OnTheWay = S.Adjoint != AdjointStep::Nothing || S.Tangent != TangentStep::Nothing;
    if (Fault.empty() && OnTheWay && !P.reachesReturn(I->getParent()))
      Fault = "is differentiated, but the function does not return from there";
    bool Moves = S.Adjoint == AdjointStep::Copy || S.Adjoint == AdjointStep::Clear ||
                 S.Data == ShadowData::Address;
    if (Fault.empty() && isa<AnyMemIntrinsic>(I) && Moves && !bytesOf(*I).Period)
      Fault = "moves bytes of which nothing is known";
    if (Fault.empty() && !bytesOf(*I).verify(OS))
      continue;
    OS << operandName(I) << " (" << I->getOpcodeName() << ") " << Fault;
    return true;
  }
  for (auto &[I, Calls] : Computed)
    for (const ComputedCall &C : Calls) {
      const OpView V = viewOf(*C.By, P.libraryInfo());
      if (V.Id == C.Call.Fn && C.By->getType() == I->getType() &&
          V.Operands[0] == viewOf(*I, P.libraryInfo()).Operands[C.Call.Operand])
        continue;
      OS << operandName(I) << " takes what its rule calls from another function";
      return true;
    }
  return false;
}

} // namespace isozyme
