//===- ForwardLanes.cpp - Tangents of all lanes in one vector -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the loops that LaneVectors names, the tangents of a value are one vector, and
// so are those of what is computed from it:
//
//   %y.tans = fmul <4 x double> %x.tans, %splat.of.w
//
// The scalars are extracted behind each, for users elsewhere; most have none.
//
//===----------------------------------------------------------------------===//
#include "ForwardEmission.h"

using namespace llvm;

namespace isozyme {

Value *ForwardEmission::packed(Value *V) {
  if (Value *Vector = Packed.lookup(V))
    return Vector;
  Value *Vector = PoisonValue::get(FixedVectorType::get(V->getType(), R.Width));
  for (unsigned Lane = 0; Lane < R.Width; ++Lane)
    Vector = B.CreateInsertElement(Vector, tangent(V, Lane), Lane);
  return Vector;
}

void ForwardEmission::setPacked(Instruction &I, Value *Vector) {
  Packed[&I] = Vector;
  if (auto *New = dyn_cast<Instruction>(Vector); New && !New->hasName() && I.hasName())
    New->setName(I.getName() + ".tans");
  forEachLane(I, [&](unsigned Lane) { return B.CreateExtractElement(Vector, Lane); });
}

void ForwardEmission::startPackedPhi(PHINode &I) {
  PHINode *New = B.CreatePHI(FixedVectorType::get(I.getType(), R.Width), I.getNumIncomingValues());
  if (isa<FPMathOperator>(I))
    New->copyFastMathFlags(&I);
  B.SetInsertPoint(New->getParent(), New->getParent()->getFirstNonPHIIt());
  setPacked(I, New);
}

void ForwardEmission::finishPackedPhi(PHINode &I) {
  auto *Phi = cast<PHINode>(Packed.lookup(&I));
  for (unsigned K = 0; K < I.getNumIncomingValues(); ++K) {
    BasicBlock *From = I.getIncomingBlock(K);
    auto *Clone = cast<BasicBlock>(primal(From));
    B.SetInsertPoint(Clone->getTerminator());
    Phi->addIncoming(Visited.contains(From) ? packed(I.getIncomingValue(K))
                                            : PoisonValue::get(Phi->getType()),
                     Clone);
  }
}

void ForwardEmission::emitPackedSelect(SelectInst &I) {
  Value *New =
      B.CreateSelect(primal(I.getCondition()), packed(I.getTrueValue()), packed(I.getFalseValue()));
  if (auto *Select = dyn_cast<SelectInst>(New); Select && isa<FPMathOperator>(I))
    Select->copyFastMathFlags(&I);
  setPacked(I, New);
}

} // namespace isozyme
