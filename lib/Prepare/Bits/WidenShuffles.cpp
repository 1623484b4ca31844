//===- WidenShuffles.cpp - Doubles that are moved as pairs of integers -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %y = shufflevector <4 x i32> %x, poison, <2, 3, 2, 3>
//   =>
//   %0 = bitcast <4 x i32> %x to <2 x i64>
//   %1 = shufflevector <2 x i64> %0, poison, <1, 1>
//   %y = bitcast <2 x i64> %1 to <4 x i32>
//
// Halves of a double have no derivative, and the sum of two doubles is not that of
// their halves.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

constexpr unsigned WidestFloat = 64;

static void widen(ShuffleVectorInst &I) {
  auto *From = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
  auto *To = dyn_cast<FixedVectorType>(I.getType());
  if (!From || !To || !From->getElementType()->isIntegerTy())
    return;
  unsigned Bits = From->getElementType()->getIntegerBitWidth();
  if (Bits >= WidestFloat || WidestFloat % Bits)
    return;
  int Scale = WidestFloat / Bits;
  SmallVector<int, 8> Mask;
  if (From->getNumElements() % Scale || To->getNumElements() % Scale ||
      !widenShuffleMaskElts(Scale, I.getShuffleMask(), Mask))
    return;
  IRBuilder<> B(&I);
  auto *Wide = FixedVectorType::get(B.getInt64Ty(), From->getNumElements() / Scale);
  Value *First = B.CreateBitCast(I.getOperand(0), Wide);
  Value *Second = B.CreateBitCast(I.getOperand(1), Wide);
  Value *V = B.CreateBitCast(B.CreateShuffleVector(First, Second, Mask), To);
  V->takeName(&I);
  I.replaceAllUsesWith(V);
  I.eraseFromParent();
}

void widenShuffles(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
      widen(*Shuffle);
}

} // namespace isozyme
