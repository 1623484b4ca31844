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

} // namespace isozyme
