//===- NeedAnalysis.cpp - What the reverse sweep reads --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: activity, types, call plans.  Out: which instructions have an adjoint at all, and
// which cannot have one.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/NeedAnalysis.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

raw_ostream &operator<<(raw_ostream &OS, Part P) {
  return OS << (P == Part::Primal ? "primal" : P == Part::Shadow ? "shadow" : "tape");
}

std::string operandName(const Value *V) {
  std::string S;
  raw_string_ostream OS(S);
  V->printAsOperand(OS, isa<ConstantData>(V));
  return S;
}

raw_ostream &operator<<(raw_ostream &OS, const NeedConsumer &C) {
  return OS << C.Role << (C.At ? operandName(C.At) : "");
}

void printNeed(raw_ostream &OS, const Need &N) { OS << operandName(N.V) << ' ' << N.P; }

void printNeeds(const NeedSet &Needs, raw_ostream &OS) {
  for (auto &[N, Consumer] : Needs) {
    OS << "  ";
    printNeed(OS, N);
    OS << " for " << Consumer << '\n';
  }
}

/// A shadow pointer is read where float bytes are moved through it.
static bool storesFloats(const ReverseFacts &F, const StoreInst &S) {
  return F.Activity.isActiveInstruction(&S) && storedAdjointType(S, F.Types);
}

bool hasReverseAction(const ReverseFacts &F, const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto It = F.Calls.find(Call);
    if (It != F.Calls.end()) {
      switch (It->second.K) {
      case CallPlan::Inactive:
      case CallPlan::Allocate:
      case CallPlan::Stop:
        return false;
      case CallPlan::BulkMemory:
      case CallPlan::Differentiate:
      case CallPlan::Free:
        return true;
      case CallPlan::Structural:
        if (Call->getType()->isVoidTy())
          return F.Activity.isActiveInstruction(Call) &&
                 !maskedAccess(*Call)->Data->getType()->isPtrOrPtrVectorTy();
        break;
      case CallPlan::ByRule:
        break;
      }
    }
  }
  // Local memory of a split derivative may lie on the heap: released in reverse.
  if (isa<AllocaInst>(I))
    return F.R.isSplit();
  if (!F.Activity.isActiveInstruction(&I))
    return false;
  if (auto *S = dyn_cast<StoreInst>(&I))
    return storesFloats(F, *S);
  if (isa<ReturnInst>(I))
    return F.R.Return == ReturnActivity::Active;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return !worksOnInteger(I, F.Types);
  if (!F.Activity.isActiveValue(&I))
    return false;
  return adjointType(&I, F.Types) != nullptr;
}

/// Integers whose derivative nobody would carry on: copies of addresses are
/// fine (shadows are taken from the pointers), copies of floats have an adjoint.
static bool losesDerivative(const ReverseFacts &F, const Value *V) {
  if (!V->getType()->isIntOrIntVectorTy() || isa<Constant>(V) || !F.Activity.isActiveValue(V))
    return false;
  return F.Types.typeOf(V).kind() != ConcreteType::Pointer;
}

static Error checkInteger(const ReverseFacts &F, const Instruction &I) {
  if (losesDerivative(F, &I) && !adjointType(&I, F.Types)) {
    if (isa<LoadInst, PHINode, SelectInst, FreezeInst>(I))
      return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                       "what is moved here may be a differentiated float, or else an address or "
                       "an integer",
                       "move it by the type that it has, where that is known, or use forward "
                       "mode, which need not know");
    return diffError(
        DiagId::NoInstructionDerivative, F.P.placeOf(&I),
        Twine("the bits of a differentiated float pass through integer arithmetic ('") +
            I.getOpcodeName() + "')",
        "compute on the float itself");
  }
  auto *Call = dyn_cast<CallBase>(&I);
  auto It = Call ? F.Calls.find(Call) : F.Calls.end();
  if (It == F.Calls.end() || It->second.K != CallPlan::Differentiate)
    return Error::success();
  if (losesDerivative(F, &I) ||
      any_of(Call->args(), [&](const Use &U) { return losesDerivative(F, U.get()); }))
    return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&I),
                     "a float is passed as the bits of an integer in this call",
                     "pass it as a float, or let the called function be inlined");
  return Error::success();
}

static Error checkStore(const ReverseFacts &F, const StoreInst &S) {
  const Value *V = S.getValueOperand();
  if (!F.Activity.isActiveInstruction(&S) || !V->getType()->isIntOrIntVectorTy() ||
      storedAdjointType(S, F.Types) || storesNullPointer(S, F.Types))
    return Error::success();
  ConcreteType T = F.Types.typeOfStored(S);
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(V->getType());
  if (T.kind() == ConcreteType::Integer || T.kind() == ConcreteType::Anything ||
      (isa<Constant>(V) && Bytes == 1))
    return Error::success();
  std::string Name = F.P.describeMemory(S.getPointerOperand());
  return diffError(DiagId::UnknownType, F.P.placeOf(&S),
                   "cannot deduce whether the integer stored " +
                       (Name.empty() ? "here" : "in " + Name) +
                       " holds a number, a float or an address",
                   "copy the value as its real type, or say what is there by a call of "
                   "__enzyme_double(pointer, bytes) or __enzyme_integer(pointer, bytes)");
}

Error checkIntegers(const ReverseFacts &F) {
  for (Instruction &I : instructions(F.P.function())) {
    if (!F.P.reachesReturn(I.getParent()))
      continue;
    if (Error E = checkInteger(F, I))
      return E;
    if (auto *S = dyn_cast<StoreInst>(&I))
      if (Error E = checkStore(F, *S))
        return E;
  }
  return Error::success();
}

} // namespace isozyme
