//===- PrintingFunctions.cpp - The user's own printf -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's own logging function takes a variable number of arguments and hands
// them on to vprintf or vsnprintf. What it is given leaves as text, so no derivative
// goes through it, if it does nothing else with numbers: never reads a variable
// argument itself, and stores nothing but integers that it has computed.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

static bool onlyPrints(const Function &F, unsigned Depth);

static bool isLocal(const Value *Address) { return isa<AllocaInst>(getUnderlyingObject(Address)); }

/// Is \p Address in an argument list that va_start has filled?
static bool isInArgumentList(const Value *Address) {
  const Value *Object = getUnderlyingObject(Address);
  return any_of(Object->users(), [](const User *U) {
    if (auto *Decayed = dyn_cast<GetElementPtrInst>(U))
      return any_of(Decayed->users(), [](const User *V) { return isa<VAStartInst>(V); });
    return isa<VAStartInst>(U);
  });
}

static bool mayStore(const Value *V, const Value *To) {
  if (isLocal(To))
    return true;
  // A copy may be one of a float.
  auto *Copied = dyn_cast<LoadInst>(V);
  return V->getType()->isIntegerTy() && !(Copied && !isLocal(Copied->getPointerOperand()));
}

static bool isHarmless(const CallBase &Call, unsigned Depth) {
  if (isa<VAStartInst>(Call) || isa<VAEndInst>(Call) || isa<VACopyInst>(Call) ||
      isKnownInactive(Call))
    return true;
  if (auto *Memory = dyn_cast<AnyMemIntrinsic>(&Call))
    return isLocal(Memory->getRawDest());
  if (Call.doesNotAccessMemory() && !Call.isInlineAsm())
    return true;
  const Function *F = Call.getCalledFunction();
  return F && onlyPrints(*F, Depth + 1);
}

static bool onlyPrints(const Function &F, unsigned Depth) {
  constexpr unsigned MaxDepth = 4;
  Type *Result = F.getReturnType();
  if (F.isDeclaration() || F.isInterposable() || Depth > MaxDepth ||
      !(Result->isVoidTy() || Result->isIntegerTy()))
    return false;
  return all_of(instructions(F), [&](const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      return isHarmless(*Call, Depth);
    if (auto *S = dyn_cast<StoreInst>(&I))
      return mayStore(S->getValueOperand(), S->getPointerOperand());
    if (auto *L = dyn_cast<LoadInst>(&I))
      return !isInArgumentList(L->getPointerOperand());
    return !isa<VAArgInst, AtomicRMWInst, AtomicCmpXchgInst>(I);
  });
}

bool onlyPrints(const Function &F) { return F.isVarArg() && onlyPrints(F, 0); }

} // namespace isozyme
