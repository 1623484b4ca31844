//===- EntryExtent.cpp - What is known before a function runs -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/EntryExtent.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

bool isKnownAtEntry(const Value *V, unsigned Depth) {
  if (isa<Argument, Constant>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 16)
    return false;
  bool IsPlain = isa<ICmpInst, SelectInst, FreezeInst, TruncInst, ZExtInst, SExtInst>(I) ||
                 isa<MinMaxIntrinsic>(I) ||
                 (isa<BinaryOperator>(I) && !I->isIntDivRem() && I->getType()->isIntegerTy());
  if (auto *B = dyn_cast<BinaryOperator>(I); B && I->isIntDivRem()) {
    auto *By = dyn_cast<ConstantInt>(B->getOperand(1));
    IsPlain = By && !By->isZero() && !By->isMinusOne();
  }
  if (!IsPlain)
    return false;
  unsigned Operands = isa<CallBase>(I) ? cast<CallBase>(I)->arg_size() : I->getNumOperands();
  for (unsigned Operand = 0; Operand < Operands; ++Operand)
    if (!isKnownAtEntry(I->getOperand(Operand), Depth + 1))
      return false;
  return true;
}

bool isKnownAtEntry(const SCEV *S) {
  return !SCEVExprContains(S, [](const SCEV *Part) {
    switch (Part->getSCEVType()) {
    case scConstant:
    case scTruncate:
    case scZeroExtend:
    case scSignExtend:
    case scAddExpr:
    case scMulExpr:
    case scSMaxExpr:
    case scUMaxExpr:
    case scSMinExpr:
    case scUMinExpr:
      return !Part->getType()->isIntegerTy();
    case scUDivExpr: {
      auto *By = dyn_cast<SCEVConstant>(cast<SCEVUDivExpr>(Part)->getRHS());
      return !By || By->isZero();
    }
    case scUnknown:
      return !isKnownAtEntry(cast<SCEVUnknown>(Part)->getValue());
    default:
      return true;
    }
  });
}

const SCEV *extremeAtEntry(const PreparedFunction &P, const SCEV *Offset, const Instruction &At,
                           bool Largest) {
  ScalarEvolution &SE = P.scalarEvolution();
  for (const Loop *L = P.loops().getLoopFor(At.getParent()); L; L = L->getParentLoop()) {
    if (SE.isLoopInvariant(Offset, L))
      continue;
    auto *Counted = dyn_cast<SCEVAddRecExpr>(Offset);
    Value *Count = P.canonical(L).LastIV;
    if (!Counted || Counted->getLoop() != L || !Counted->isAffine() || !Count)
      return nullptr;
    const SCEV *Step = Counted->getStepRecurrence(SE);
    bool Grows = SE.isKnownNonNegative(Step);
    if (!Grows && !SE.isKnownNonPositive(Step))
      return nullptr;
    Offset = Grows == Largest ? Counted->evaluateAtIteration(SE.getSCEV(Count), SE)
                              : Counted->getStart();
    if (isa<SCEVCouldNotCompute>(Offset))
      return nullptr;
  }
  return isKnownAtEntry(Offset) ? Offset : nullptr;
}

} // namespace isozyme
