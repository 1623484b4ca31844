//===- ForwardCalls.cpp - Tangents through calls --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does with each call what its CallPlan says. A call of a user's function is
// replaced by one of its forward derivative, which does the primal's work too:
//
//   %r = call double @g(double %x, ptr %p)
//   %d = call {double, double} @fwd.g(double %x, double %x.tan, ptr %p, ptr %p.shadow)
//   %r = extractvalue %d, 0          %r.tan = extractvalue %d, 1
//
//===----------------------------------------------------------------------===//
#include "Dependence.h"
#include "ForwardEmission.h"
#include "Runtime/OwnShadow.h"

using namespace llvm;

namespace isozyme {

const CallPlan &ForwardEmission::callPlanOf(const Instruction &I) const {
  return Plan.Calls.find(cast<CallBase>(&I))->second;
}

/// The same sum, of tangents.
void ForwardEmission::emitReduction(CallBase &I) {
  forEachLane(I, [&](unsigned Lane) -> Value * {
    Value *Start = tangent(I.getArgOperand(0), Lane), *Vector = tangent(I.getArgOperand(1), Lane);
    return R.Dependence ? uniteElements(B, Start, Vector)
                        : insertCopy(I, {{0, Start}, {1, Vector}});
  });
}

/// Nothing comes back: the values stand for what is never used.
void ForwardEmission::emitStopCall(CallBase &I, const CallPlan &Callee) {
  auto *Old = cast<Instruction>(primal(&I));
  B.SetInsertPoint(Old);
  emitStop(B, B.getTrue(), I.getDebugLoc(), Callee.Reason);
  if (!I.getType()->isVoidTy()) {
    setZero(I);
    Primals[&I] = Constant::getNullValue(I.getType());
    Old->replaceAllUsesWith(Primals[&I]);
  }
  Old->eraseFromParent();
}

void ForwardEmission::emitDerivativeCall(CallBase &I, const CallPlan &Callee) {
  Function *Derivative = Lookup(Callee.Callee);
  if (!Derivative)
    return fail("the derivative of '" + Callee.Callee.Fn->getName() + "' is missing");
  auto *Old = cast<Instruction>(primal(&I));
  SmallVector<Value *, 16> Operands;
  for (unsigned Arg = 0; Arg < I.arg_size(); ++Arg) {
    Operands.push_back(primal(I.getArgOperand(Arg)));
    for (unsigned Lane = 0; Callee.Callee.hasShadow(Arg) && Lane < R.Width; ++Lane)
      Operands.push_back(tangent(I.getArgOperand(Arg), Lane));
  }
  if (Failure)
    return;
  B.SetInsertPoint(Old);
  CallInst *Call = B.CreateCall(Derivative, Operands);
  Call->setCallingConv(Derivative->getCallingConv());

  unsigned Member = 0;
  if (Callee.Callee.ReturnPrimal) {
    Value *Result = B.CreateExtractValue(Call, Member++);
    Result->takeName(Old);
    Old->replaceAllUsesWith(Result);
    Primals[&I] = Result;
  }
  if (Callee.Callee.Return == ReturnActivity::Dup)
    forEachLane(I, [&](unsigned Lane) -> Value * {
      if (R.Width == 1)
        return B.CreateExtractValue(Call, Member);
      return B.CreateExtractValue(Call, {Member, Lane});
    });
  else if (stepAt(I).Data == ShadowData::Zero)
    setZero(I);
  if (!Callee.Callee.ReturnPrimal)
    Primals.erase(&I);
  Old->eraseFromParent();
}

} // namespace isozyme
