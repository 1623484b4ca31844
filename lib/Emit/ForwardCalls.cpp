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
#include "OwnShadow.h"
#include "isozyme/Emit/Recording.h"
#include "isozyme/Types/TypeResult.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Support/TypeContents.h"

using namespace llvm;

namespace isozyme {

void ForwardEmission::visitCall(CallBase &I) {
  auto It = Calls.find(&I);
  if (It == Calls.end())
    return fail(diffError(DiagId::InternalError, P.placeOf(&I), "a call was not planned", ""));
  // Where nobody asks for the bytes, they are in the record all the same.
  if (Replay && Replay->at(I) == RecordStep::Copy)
    Copied[&I] = bytesOfRecord(
        B, Shell.getArg(unsigned(Shell.arg_size()) - 1),
        B.CreateZExtOrTrunc(primal(cast<AnyMemTransferInst>(I).getLength()), B.getInt64Ty()));
  switch (It->second.K) {
  case CallPlan::Inactive:
    if (isActive(&I) && !containsPointer(I.getType()))
      setZero(I);
    return;
  case CallPlan::ByRule:
    return emitRule(I);
  case CallPlan::Structural:
    return emitReduction(I);
  case CallPlan::BulkMemory:
    return visitBulkMemory(I);
  case CallPlan::Allocate:
    return emitMirrored(I);
  case CallPlan::Free:
    return visitFree(I);
  case CallPlan::Differentiate:
    return emitDerivativeCall(I, It->second);
  case CallPlan::Stop:
    return emitStopCall(I, It->second);
  }
}

/// Linear intrinsics: the same call on tangents.
void ForwardEmission::emitReduction(CallBase &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::vector_reduce_fadd:
    forEachLane(I, [&](unsigned Lane) -> Value * {
      if (R.Dependence)
        return uniteElements(B, tangent(I.getArgOperand(0), Lane),
                             tangent(I.getArgOperand(1), Lane));
      return insertCopy(
          I, {{0, tangent(I.getArgOperand(0), Lane)}, {1, tangent(I.getArgOperand(1), Lane)}});
    });
    return;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    return visitMaskedStore(cast<IntrinsicInst>(I));
  default:
    if (isActive(&I))
      maskedAccess(I) ? visitMaskedLoad(I) : emitMirrored(I);
  }
}

/// Nothing comes back: the values stand for what is never used.
void ForwardEmission::emitStopCall(CallBase &I, const CallPlan &Plan) {
  auto *Old = cast<Instruction>(primal(&I));
  B.SetInsertPoint(Old);
  emitStop(B, B.getTrue(), &I, Plan.Reason);
  if (!I.getType()->isVoidTy()) {
    setZero(I);
    Primals[&I] = Constant::getNullValue(I.getType());
    Old->replaceAllUsesWith(Primals[&I]);
  }
  Old->eraseFromParent();
}

void ForwardEmission::emitDerivativeCall(CallBase &I, const CallPlan &Plan) {
  Function *Derivative = Lookup(Plan.Callee);
  if (!Derivative)
    return fail(diffError(DiagId::InternalError, P.placeOf(&I),
                          "the derivative of '" + Plan.Callee.Fn->getName() + "' is missing", ""));
  auto *Old = cast<Instruction>(primal(&I));
  SmallVector<Value *, 16> Operands;
  for (unsigned Arg = 0; Arg < I.arg_size(); ++Arg) {
    Operands.push_back(primal(I.getArgOperand(Arg)));
    for (unsigned Lane = 0; Plan.Callee.hasShadow(Arg) && Lane < R.Width; ++Lane)
      Operands.push_back(tangent(I.getArgOperand(Arg), Lane));
  }
  if (Failure)
    return;
  B.SetInsertPoint(Old);
  CallInst *Call = B.CreateCall(Derivative, Operands);
  Call->setCallingConv(Derivative->getCallingConv());

  unsigned Member = 0;
  if (Plan.Callee.ReturnPrimal) {
    Value *Result = B.CreateExtractValue(Call, Member++);
    Result->takeName(Old);
    Old->replaceAllUsesWith(Result);
    Primals[&I] = Result;
  }
  if (Plan.Callee.Return == ReturnActivity::Dup)
    forEachLane(I, [&](unsigned Lane) -> Value * {
      if (R.Width == 1)
        return B.CreateExtractValue(Call, Member);
      return B.CreateExtractValue(Call, {Member, Lane});
    });
  else if (isActive(&I) && !containsPointer(I.getType()))
    setZero(I);
  if (!Plan.Callee.ReturnPrimal)
    Primals.erase(&I);
  Old->eraseFromParent();
}

} // namespace isozyme
