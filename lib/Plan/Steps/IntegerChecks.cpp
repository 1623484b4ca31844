//===- IntegerChecks.cpp - Derivatives that integers would lose -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReverseSteps.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Support/Diagnostics.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// Integers whose derivative nobody would carry on: copies of addresses are
/// fine (shadows are taken from the pointers), copies of floats have an adjoint.
static bool losesDerivative(const ReverseFacts &F, const Value *V) {
  if (!V->getType()->isIntOrIntVectorTy() || isa<Constant>(V) || !F.Activity.isActiveValue(V))
    return false;
  return F.Types.typeOf(V).kind() != ConcreteType::Pointer;
}

static Error mayBeEither(const ReverseFacts &F, const Instruction &Move) {
  return diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&Move),
                   "what is moved here may be a differentiated float, or else an address or an "
                   "integer",
                   "move it by the type that it has, where that is known, or use forward mode, "
                   "which works for either");
}

static Error checkInteger(const ReverseFacts &F, const Instruction &I) {
  if (losesDerivative(F, &I) && !adjointType(&I, F.Types)) {
    if (isa<LoadInst, PHINode, SelectInst, FreezeInst>(I))
      return mayBeEither(F, I);
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

/// The shadow of an address would stay behind where the double is chosen, whose type it has.
static Error checkChoice(const ReverseFacts &F, const LoadInst &Load) {
  return any_of(F.Types.storesOfChosenWord(Load),
                [&](const StoreInst *S) { return F.Activity.isActiveInstruction(S); })
             ? mayBeEither(F, Load)
             : Error::success();
}

/// Neither is there a shadow of an address that is handed to a function as a double.
static Error checkHandedOn(const ReverseFacts &F, const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  bool IsElsewhere = Callee && Callee->isDeclaration();
  auto IsActiveAddress = [&](const Value *V) {
    const Value *Ptr;
    return match(V, m_BitCast(m_PtrToInt(m_Value(Ptr)))) && F.Activity.isActiveValue(Ptr);
  };
  return !IsElsewhere && any_of(Call.args(), IsActiveAddress)
             ? diffError(DiagId::NoInstructionDerivative, F.P.placeOf(&Call),
                         "an address is passed as the bits of a float in this call",
                         "pass it as an address, or let the called function be inlined")
             : Error::success();
}

/// Does what \p Access reads or writes contain a float beside something else, as types see it?
/// Where nothing is known, it may.
static bool mayHoldFloat(const ReverseFacts &F, const Instruction &Access, bool Known) {
  const DataLayout &DL = Access.getDataLayout();
  MemoryLayout L = F.Types.layoutOf(getLoadStorePointerOperand(&Access),
                                    DL.getTypeStoreSize(getLoadStoreType(&Access)));
  return (!Known || L.Runs.size() > 1) && any_of(L.Runs, [&](const TypedRun &Run) {
           return Run.Type.isFloat() || (!Known && !Run.Type.isKnown());
         });
}

/// Is a word stored over members of which one is a float, after something was computed with the
/// bits of such members? w + (1L << 32) counts beside the float, which is moved along.
static bool takesFloatAlong(const ReverseFacts &F, const StoreInst &S) {
  if (!S.getValueOperand()->getType()->isIntegerTy() ||
      !F.Activity.isActiveValue(S.getPointerOperand()) || storedAdjointType(S, F.Types) ||
      !mayHoldFloat(F, S, /*Known=*/true))
    return false;
  constexpr unsigned MostSteps = 64;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(S.getValueOperand());
  for (unsigned K = 0; K != Work.size(); ++K) {
    auto *I = dyn_cast<Instruction>(Work[K]);
    auto *Load = dyn_cast_or_null<LoadInst>(I);
    // A whole word that the source does not name may be such a record, whatever types make of it.
    auto IsWord = [&](const LoadInst &From) {
      return From.getType() == S.getValueOperand()->getType() &&
             !From.hasMetadata(LLVMContext::MD_tbaa);
    };
    bool TakesAlong =
        Load && (IsWord(*Load) || (F.Activity.isActiveValue(Load->getPointerOperand()) &&
                                   mayHoldFloat(F, *Load, /*Known=*/false)));
    if (TakesAlong || Work.size() > MostSteps)
      return true;
    if (isa_and_nonnull<BinaryOperator, CastInst, PHINode, SelectInst, FreezeInst, MinMaxIntrinsic>(
            I))
      for (const Value *Operand : I->operand_values())
        if (Operand->getType()->isIntegerTy() && !Operand->getType()->isIntegerTy(1))
          Work.insert(Operand);
  }
  return false;
}

static Error checkStore(const ReverseFacts &F, const StoreInst &S) {
  const Value *V = S.getValueOperand();
  if (F.Activity.isActiveInstruction(&S) && F.Types.isMovedInTurn(*V))
    return mayBeEither(F, S);
  if (takesFloatAlong(F, S))
    return diffError(
        DiagId::NoInstructionDerivative, F.P.placeOf(&S),
        "the bits of a differentiated float pass through integer arithmetic, with those "
        "of an integer beside it",
        "compute on each member by itself");
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
    if (auto *Load = dyn_cast<LoadInst>(&I))
      if (Error E = checkChoice(F, *Load))
        return E;
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Error E = checkHandedOn(F, *Call))
        return E;
    if (auto *S = dyn_cast<StoreInst>(&I))
      if (Error E = checkStore(F, *S))
        return E;
  }
  return Error::success();
}

} // namespace isozyme
