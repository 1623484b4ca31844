//===- ElementIndex.cpp - Distances of elements of one array --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ElementIndex.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace isozyme {

const SCEV *inElements(ScalarEvolution &SE, const SCEV *S, int64_t Size) {
  Type *I32 = Type::getInt32Ty(SE.getContext());
  if (auto *C = dyn_cast<SCEVConstant>(S)) {
    int64_t Value = C->getAPInt().getSExtValue();
    return Value % Size ? nullptr : SE.getConstant(APInt(64, Value / Size, true).trunc(32));
  }
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    const SCEV *Result = SE.getZero(I32);
    for (const SCEV *Part : Sum->operands()) {
      const SCEV *Each = inElements(SE, Part, Size);
      if (!Each)
        return nullptr;
      Result = SE.getAddExpr(Result, Each);
    }
    return Result;
  }
  if (auto *Moving = dyn_cast<SCEVAddRecExpr>(S)) {
    const SCEV *Start = inElements(SE, Moving->getStart(), Size);
    const SCEV *Step = inElements(SE, Moving->getStepRecurrence(SE), Size);
    return Moving->isAffine() && Start && Step
               ? SE.getAddRecExpr(Start, Step, Moving->getLoop(), SCEV::FlagAnyWrap)
               : nullptr;
  }
  auto *Product = dyn_cast<SCEVMulExpr>(S);
  auto *Factor = Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  if (!Factor || Factor->getAPInt().getSExtValue() % Size)
    return nullptr;
  SmallVector<const SCEV *, 4> Rest(drop_begin(Product->operands()));
  Rest.push_back(SE.getConstant(S->getType(), Factor->getAPInt().getSExtValue() / Size, true));
  return SE.getTruncateExpr(SE.getMulExpr(Rest), I32);
}

bool isShortIndex(const SCEV *At) {
  return SCEVExprContains(At, [](const SCEV *Part) {
    auto *Wide = dyn_cast<SCEVSignExtendExpr>(Part);
    return Wide && Wide->getOperand()->getType()->isIntegerTy(32);
  });
}

} // namespace isozyme
