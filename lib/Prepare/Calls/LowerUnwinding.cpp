//===- LowerUnwinding.cpp - Calls without an unwind edge -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns each invoke into a call: freely when the callee cannot throw; also when
// the handler only cleans up, rethrows or terminates. Such a handler runs only
// while an exception leaves the function (or ends the program), and then there is
// no result to differentiate. A handler that may come back to normal execution
// is refused, as is everything that has no legal form.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Prepare/ExceptionFlow.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

Error refuse(DiagId Id, const Function &Original, const Instruction &I, const Twine &What,
             const Twine &Fix) {
  return diffError(Id, Place(Original, I.getDebugLoc()), What, Fix);
}

static Error refuseWithoutLegalForm(Function &F, const Function &Original) {
  for (Instruction &I : instructions(F)) {
    const char *What = nullptr;
    if (isa<CallBrInst>(I))
      What = "an asm goto statement";
    else if (isa<VAArgInst>(I) || isa<VAStartInst>(I))
      What = "reading a variable argument list";
    else if (isa<FuncletPadInst>(I) || isa<CatchSwitchInst>(I))
      What = "a Windows exception handler";
    else if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isMustTailCall())
      What = "a tail call of a function with variable arguments";
    else if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->hasFnAttr(Attribute::ReturnsTwice))
      What = "a call that may return twice (setjmp)";
    else if (auto *Alloca = dyn_cast<AllocaInst>(&I);
             Alloca && (Alloca->isUsedWithInAlloca() || Alloca->isSwiftError()))
      What = "an argument area made by alloca inalloca or swifterror";
    if (What)
      return refuse(DiagId::NoLegalForm, Original, I,
                    Twine(What) + " cannot be differentiated through",
                    "rewrite it, or mark the function that contains it as inactive");
  }
  return Error::success();
}

static SmallVector<InvokeInst *> invokesOf(Function &F) {
  SmallVector<InvokeInst *> Invokes;
  for (BasicBlock &BB : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator()))
      Invokes.push_back(Invoke);
  return Invokes;
}

Error lowerUnwinding(Function &F, const Function &Original) {
  if (Error E = refuseWithoutLegalForm(F, Original))
    return E;
  // First those that cannot throw: handlers reached only from them disappear.
  for (InvokeInst *Invoke : invokesOf(F))
    if (Invoke->doesNotThrow())
      changeToCall(Invoke);
  removeUnreachableBlocks(F);
  // Judge all before changing one: handlers may contain invokes themselves.
  SmallVector<InvokeInst *> Invokes = invokesOf(F);
  for (InvokeInst *Invoke : Invokes)
    if (mayResumeNormally(*Invoke))
      return refuse(DiagId::ExceptionHandler, Original, *Invoke,
                    "this call may throw into a handler of the same function",
                    linkTimeAdvice(Original) +
                        ", declare what it calls noexcept if that never throws, or put the try "
                        "block around the call of the derivative");
  bool CaughtOne = any_of(
      Invokes, [](InvokeInst *Invoke) { return Invoke->getLandingPadInst()->getNumClauses(); });
  for (InvokeInst *Invoke : Invokes)
    changeToCall(Invoke);
  removeUnreachableBlocks(F);
  // An exception that ended the program, as in a noexcept function, now passes
  // through the clone.
  if (CaughtOne)
    F.removeFnAttr(Attribute::NoUnwind);
  if (none_of(F, [](BasicBlock &BB) { return BB.isLandingPad(); }) && F.hasPersonalityFn())
    F.setPersonalityFn(nullptr);
  return Error::success();
}

} // namespace isozyme
