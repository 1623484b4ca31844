//===- CarriedFloats.cpp - Floats that a wider float carries --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/CarriedFloats.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

bool isMoveOfFloats(const Instruction &I) {
  auto HasConstant = [&](unsigned Operand) { return isa<ConstantInt>(I.getOperand(Operand)); };
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return !Select->getCondition()->getType()->isVectorTy();
  return isa<PHINode, FreezeInst, ShuffleVectorInst>(I) ||
         (isa<ExtractElementInst>(I) && HasConstant(1)) ||
         (isa<InsertElementInst>(I) && HasConstant(2));
}

/// The float of less than \p Bits bits that \p V, the bits of one or more, becomes (\p Forward) or
/// was; null if there is none.
static Type *partOf(const Value *V, unsigned Bits, bool Forward) {
  constexpr unsigned MaxSteps = 32;
  SmallSetVector<const Value *, 8> Work;
  Work.insert(V);
  auto IsMove = [](const Value *Of) {
    auto *I = dyn_cast<Instruction>(Of);
    return I && (isMoveOfFloats(*I) || isa<BitCastInst>(I));
  };
  for (unsigned K = 0; K != Work.size() && K != MaxSteps; ++K) {
    Type *T = Work[K]->getType();
    if (T->isFPOrFPVectorTy()) {
      if (T->getScalarSizeInBits() < Bits)
        return T->getScalarType();
      continue;
    }
    if (Forward) {
      for (const User *U : Work[K]->users())
        if (IsMove(U))
          Work.insert(U);
    } else if (IsMove(Work[K])) {
      for (const Value *Operand : cast<Instruction>(Work[K])->operand_values())
        if (!isa<Constant>(Operand) && !Operand->getType()->isIntegerTy(1))
          Work.insert(Operand);
    }
  }
  return nullptr;
}

std::pair<Type *, Type *> carriedBy(const BitCastInst &Cast) {
  auto WideIn = [](const Value *V) {
    Type *T = V->getType()->getScalarType();
    return T->isDoubleTy() || T->isFloatTy() ? T : nullptr;
  };
  const Value *From = Cast.getOperand(0);
  if (Type *Wide = WideIn(From))
    if (Type *Part = partOf(&Cast, Wide->getPrimitiveSizeInBits(), true))
      return {Wide, Part};
  if (Type *Wide = WideIn(&Cast))
    if (Type *Part = partOf(From, Wide->getPrimitiveSizeInBits(), false))
      return {Wide, Part};
  return {nullptr, nullptr};
}

} // namespace isozyme
