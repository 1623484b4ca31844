//===- BitFlow.cpp - Bits of floats in integers ---------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/BitFlow.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

bool hasRoomForMantissa(const Value *V, const DataLayout &DL) {
  constexpr unsigned SmallestFloat = 16, ExponentBits = 12;
  unsigned Width = V->getType()->getScalarSizeInBits();
  return Width >= SmallestFloat && ComputeNumSignBits(V, DL) + ExponentBits <= Width;
}

bool becomesFloat(const Value *V, function_ref<bool(const Instruction &)> PassesOn,
                  function_ref<bool(const Value *)> IsIt, unsigned MaxSteps) {
  SmallSetVector<const Value *, 16> Work;
  Work.insert(V);
  for (unsigned I = 0; I < Work.size() && I < MaxSteps; ++I)
    for (const User *U : Work[I]->users()) {
      if (isa<BitCastInst>(U) && U->getType()->isFloatingPointTy() && IsIt(U))
        return true;
      auto *Select = dyn_cast<SelectInst>(U);
      bool Chooses = Select && Select->getCondition() == Work[I];
      auto *User = dyn_cast<Instruction>(U);
      if (User && !Chooses && PassesOn(*User))
        Work.insert(User);
    }
  return false;
}

bool passesBitsOn(const Instruction &I) {
  return isa<BinaryOperator, PHINode, SelectInst, FreezeInst>(I) ||
         (isa<CastInst>(I) && I.getType()->isIntegerTy());
}

bool isMadeOfBits(const Value *V, const DataLayout &DL, function_ref<bool(const Value *)> IsIt) {
  auto MadeOf = [](const Value *From) {
    Operands Found;
    auto *I = dyn_cast<Instruction>(From);
    if (I && isa<BitCastInst>(I) && I->getOperand(0)->getType()->isFloatingPointTy())
      Found.push_back(I->getOperand(0));
    else if (I && passesBitsOn(*I))
      for (const Use &U : I->operands())
        if (U->getType()->isIntegerTy() && U->getType()->getIntegerBitWidth() >= 16)
          Found.push_back(U.get());
    return Found;
  };
  bool MayBePart = V->getType()->isIntegerTy(8) || hasRoomForMantissa(V, DL);
  return MayBePart && comesFrom(V, MadeOf, IsIt);
}

} // namespace isozyme
