//===- FloatMoves.cpp - Integer code that moves floats, or is chosen by them ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ForwardSteps.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

bool movesWholeFloats(const Instruction &I, const TypeResult &Types) {
  Type *Scalar = nullptr;
  for (const Value *V : {(const Value *)&I, (const Value *)I.getOperand(0)})
    if (!Scalar)
      Scalar = Types.typeOf(V).floatType();
  if (!Scalar || !I.getType()->isIntegerTy())
    return false;
  unsigned Bits = Scalar->getPrimitiveSizeInBits();
  auto *Amount = dyn_cast<ConstantInt>(I.getOperand(1));
  switch (I.getOpcode()) {
  case Instruction::Shl:
  case Instruction::LShr:
    return Amount && Amount->getZExtValue() % Bits == 0;
  case Instruction::And: {
    if (!Amount)
      return false;
    const APInt &Mask = Amount->getValue();
    if (Mask.getBitWidth() % Bits != 0)
      return false;
    for (unsigned At = 0; At < Mask.getBitWidth(); At += Bits) {
      APInt Part = Mask.extractBits(Bits, At);
      if (!Part.isZero() && !Part.isAllOnes())
        return false;
    }
    return true;
  }
  case Instruction::Or:
    return haveNoCommonBitsSet(I.getOperand(0), I.getOperand(1),
                               SimplifyQuery(I.getDataLayout(), &I));
  default:
    return false;
  }
}

bool choosesByValue(const Instruction &Select) {
  SmallVector<const Value *, 8> Reached{cast<SelectInst>(Select).getCondition()};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Reached.empty()) {
    const Value *V = Reached.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isa<FCmpInst>(V))
      return true;
    // What is made of truth values, and integers made of them.
    if (auto *Op = dyn_cast<Instruction>(V);
        Op && isa<BinaryOperator, CastInst, ICmpInst, SelectInst, FreezeInst, PHINode,
                  ExtractElementInst, InsertElementInst, ShuffleVectorInst>(Op))
      append_range(Reached, Op->operand_values());
  }
  return false;
}

} // namespace isozyme
