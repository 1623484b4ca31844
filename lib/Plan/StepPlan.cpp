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
    Inactive.Shadow = ShadowForm::Itself;
  return Inactive;
}

const ByteRuns &StepPlan::bytesOf(const Instruction &I) const {
  static const ByteRuns None;
  auto It = Bytes.find(&I);
  return It == Bytes.end() ? None : It->second;
}

bool fitsPage(const Type &T, Align A, const DataLayout &DL) {
  if (T.isPointerTy() && T.getPointerAddressSpace())
    return false;
  uint64_t Size =
      T.isSized() ? DL.getTypeStoreSize(const_cast<Type *>(&T)).getKnownMinValue() : 0;
  return T.isSingleValueType() && !T.isVectorTy() && Size <= 8 && A.value() >= Size;
}

// --- Words ---

StringRef wordFor(SweepStep S) {
  switch (S) {
  case SweepStep::Nothing:
    return "nothing";
  case SweepStep::MakeShadow:
    return "make shadow";
  case SweepStep::LoadAddress:
    return "load address";
  case SweepStep::StoreAddress:
    return "store address";
  case SweepStep::CopyAddresses:
    return "copy addresses";
  case SweepStep::ClearAddresses:
    return "clear addresses";
  case SweepStep::Check:
    return "check";
  case SweepStep::Augment:
    return "augment";
  case SweepStep::LeaveOut:
    return "leave out";
  case SweepStep::Stop:
    return "stop";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(AdjointStep S) {
  switch (S) {
  case AdjointStep::Nothing:
    return "nothing";
  case AdjointStep::Seed:
    return "seed";
  case AdjointStep::HandOn:
    return "hand on";
  case AdjointStep::Rule:
    return "rule";
  case AdjointStep::Pass:
    return "pass";
  case AdjointStep::Choose:
    return "choose";
  case AdjointStep::PutBack:
    return "put back";
  case AdjointStep::Load:
    return "load";
  case AdjointStep::Store:
    return "store";
  case AdjointStep::Atomic:
    return "atomic";
  case AdjointStep::MaskedLoad:
    return "masked load";
  case AdjointStep::MaskedStore:
    return "masked store";
  case AdjointStep::Copy:
    return "copy";
  case AdjointStep::Clear:
    return "clear";
  case AdjointStep::Call:
    return "call";
  case AdjointStep::Release:
    return "release";
  case AdjointStep::ReleaseLocal:
    return "release local";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(ShadowReach R) {
  switch (R) {
  case ShadowReach::None:
    return "none";
  case ShadowReach::Direct:
    return "direct";
  case ShadowReach::Compared:
    return "compared";
  case ShadowReach::Paged:
    return "paged";
  case ShadowReach::Stopped:
    return "stopped";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(AdjointSum S) {
  switch (S) {
  case AdjointSum::Ordered:
    return "ordered";
  case AdjointSum::AnyOrder:
    return "any order";
  case AdjointSum::Atomic:
    return "atomic";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(StepReason R) {
  switch (R) {
  case StepReason::Obvious:
    return "";
  case StepReason::Declared:
    return "the memory may be declared constant";
  case StepReason::Undeclared:
    return "nobody may have made a shadow for the memory";
  case StepReason::TooLarge:
    return "nobody may have made a shadow for the memory, and it does not lie in one page";
  case StepReason::Overlap:
    return "nobody may have made a shadow for the memory, and the two sides may overlap";
  }
  llvm_unreachable("complete switch");
}

// --- Text ---

static bool isObvious(ShadowReach R) {
  return R == ShadowReach::None || R == ShadowReach::Direct;
}

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
    bool Plain = isObvious(S.Shadow) && isObvious(S.Source) && S.Sum == AdjointSum::Ordered;
    if (Plain && !S.Guards && Moves.Runs.empty())
      continue;
    OS << (IsFirst ? "  steps\n    " : "    ");
    IsFirst = false;
    printInstruction(*I, OS);
    OS << ": ";
    if (S.Sweep != SweepStep::Nothing)
      OS << wordFor(S.Sweep) << (S.Adjoint != AdjointStep::Nothing ? ", " : "");
    if (S.Adjoint != AdjointStep::Nothing)
      OS << wordFor(S.Adjoint);
    if (!isObvious(S.Shadow))
      OS << "  shadow " << wordFor(S.Shadow);
    if (!isObvious(S.Source))
      OS << "  source " << wordFor(S.Source);
    if (S.Sum != AdjointSum::Ordered)
      OS << "  " << wordFor(S.Sum) << (S.Negated ? " negated" : "");
    if (S.Guards)
      printGuards(S.Guards, OS);
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
  bool Accesses = isa<LoadInst, StoreInst, AtomicRMWInst, MemIntrinsic>(I) || maskedAccess(I);
  bool MovesFloats = S.Adjoint == AdjointStep::Load || S.Adjoint == AdjointStep::Store ||
                     S.Adjoint == AdjointStep::MaskedLoad ||
                     S.Adjoint == AdjointStep::MaskedStore || S.Adjoint == AdjointStep::Atomic;
  if (MovesFloats && !S.Moved)
    return "moves adjoints of no type";
  if ((MovesFloats || S.Adjoint == AdjointStep::Copy || S.Adjoint == AdjointStep::Clear) &&
      S.Shadow == ShadowReach::None)
    return "moves adjoints in memory without a shadow";
  if (!Accesses && S.Shadow != ShadowReach::None && S.Adjoint != AdjointStep::Rule)
    return "reaches the shadow of no memory";
  if (S.Source != ShadowReach::None && S.Adjoint != AdjointStep::Copy)
    return "has a source but copies nothing";
  if ((S.Sweep == SweepStep::Check) && S.Shadow != ShadowReach::Stopped)
    return "checks what cannot be lost";
  if (S.Shadow == ShadowReach::Stopped && S.Sweep == SweepStep::Nothing)
    return "may lose a derivative, which nobody checks";
  if (S.StopsAtOverlap && S.Shadow != ShadowReach::Paged)
    return "fears an overlap outside of pages";
  if (S.Negated && S.Adjoint != AdjointStep::Atomic)
    return "negates what is no atomic sum";
  if (S.Guards && S.Adjoint != AdjointStep::Rule)
    return "guards what is no rule";
  return "";
}

bool StepPlan::verify(const PreparedFunction &P, raw_ostream &OS) const {
  for (auto &[I, S] : Steps) {
    StringRef Fault = faultOf(*I, S);
    if (Fault.empty() && S.Adjoint != AdjointStep::Nothing && !P.reachesReturn(I->getParent()))
      Fault = "is reversed, but the function does not return from there";
    if (Fault.empty() && isa<MemIntrinsic>(I) != (bytesOf(*I).Period != 0))
      Fault = "moves bytes of which nothing is known";
    if (Fault.empty() && !bytesOf(*I).verify(OS))
      continue;
    OS << operandName(I) << " (" << I->getOpcodeName() << ") " << Fault;
    return true;
  }
  for (auto &[V, Plan] : Values)
    if (!Plan.Adjoint && Plan.Sum != AdjointSum::Ordered) {
      OS << operandName(V) << " has no adjoint that is added to";
      return true;
    }
  return false;
}

} // namespace isozyme
