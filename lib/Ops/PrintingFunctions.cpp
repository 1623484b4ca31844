//===- PrintingFunctions.cpp - The user's own printf -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's own logging function takes a variable number of arguments and hands
// them on to vprintf or vsnprintf. What it is given leaves as text, so no derivative
// goes through it, if it does nothing else with numbers: never reads a variable
// argument itself, and stores nothing but integers that it has computed. It may hand
// text of its own making to a hook: the functions that the hook can be are looked at in
// the same way, and one of another file gets nothing that leads to differentiated memory.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Values/Origins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {
class PrintingFunction {
public:
  explicit PrintingFunction(CallTargetsOf Targets) : Targets(Targets) {}
  bool is(const Function &F, unsigned Depth) const;

private:
  bool isHarmless(const CallBase &Call, unsigned Depth) const;
  bool isHarmlessHook(const CallBase &Call, unsigned Depth) const;
  CallTargetsOf Targets;
};
} // namespace

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

/// Is \p Address in a local buffer that only functions for text and stores of characters fill?
static bool isOwnText(const Value *Address) {
  auto *Buffer = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
  if (!Buffer)
    return false;
  return allUsesOf(*Buffer, [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    auto *Store = dyn_cast<StoreInst>(U.getUser());
    if (Call)
      return Call->isIndirectCall() || isKnownInactive(*Call) ||
             isa<MemSetInst, LifetimeIntrinsic>(Call);
    return Store ? Store->getValueOperand()->getType()->isIntegerTy(8) : isa<LoadInst>(U.getUser());
  });
}

bool PrintingFunction::isHarmlessHook(const CallBase &Call, unsigned Depth) const {
  bool GetsText = all_of(Call.args(), [](const Use &U) {
    return U->getType()->isIntegerTy() || isa<Constant>(U) || isOwnText(U);
  });
  auto IsHarmless = [&](const Function *F) { // Nobody frees a local buffer.
    return F->isDeclaration() ? isInactiveLibraryFunction(*F) || managesMemory(*F)
                              : is(*F, Depth + 1);
  };
  return GetsText && !Call.isInlineAsm() && all_of(Targets(Call), IsHarmless);
}

bool PrintingFunction::isHarmless(const CallBase &Call, unsigned Depth) const {
  if (isa<VAStartInst>(Call) || isa<VAEndInst>(Call) || isa<VACopyInst>(Call) ||
      isKnownInactive(Call))
    return true;
  if (auto *Memory = dyn_cast<AnyMemIntrinsic>(&Call))
    return isLocal(Memory->getRawDest());
  if (Call.doesNotAccessMemory() && !Call.isInlineAsm())
    return true;
  const Function *F = Call.getCalledFunction();
  return F ? is(*F, Depth + 1) : isHarmlessHook(Call, Depth);
}

bool PrintingFunction::is(const Function &F, unsigned Depth) const {
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

bool onlyPrints(const Function &F, CallTargetsOf Targets) {
  return F.isVarArg() && PrintingFunction(Targets).is(F, 0);
}

} // namespace isozyme
