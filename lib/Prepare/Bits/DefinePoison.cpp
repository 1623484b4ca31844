//===- DefinePoison.cpp - No lane without a value --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vectoriser leaves lanes that nobody reads undefined:
//
//   %a = fmul <2 x double> %v, <double 3.0, double poison>     ; only lane 0 is used
//
// Their adjoint is 0, but 0 times poison is poison, and would get into the adjoint of
// lane 1 of v, which may have other uses. Such lanes become 0 here, and a shuffle that
// leaves one open takes some lane.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace isozyme {

static bool isNumeric(const Type *T) {
  return T->isFPOrFPVectorTy() || (T->isVectorTy() && T->isIntOrIntVectorTy());
}

static void defineMask(ShuffleVectorInst &I) {
  auto *T = dyn_cast<FixedVectorType>(I.getType());
  auto *From = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
  if (!T || !From || !is_contained(I.getShuffleMask(), PoisonMaskElem))
    return;
  SmallVector<int, 16> Mask(I.getShuffleMask());
  // One that is taken elsewhere, so that a splat stays a splat.
  const int *Known = find_if(Mask, [](int Lane) { return Lane != PoisonMaskElem; });
  int Some = Known == Mask.end() ? 0 : *Known;
  for (int &Lane : Mask)
    if (Lane == PoisonMaskElem)
      Lane = Some;
  I.setShuffleMask(Mask);
}

void definePoison(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (isa<CallBase>(I) || I.isTerminator())
      continue;
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
    if (Shuffle && isNumeric(I.getType()))
      defineMask(*Shuffle);
    for (Use &U : I.operands()) {
      auto *C = dyn_cast<Constant>(U.get());
      // What a shuffle takes no lane of may stay.
      if (!C || !isNumeric(C->getType()) || !C->containsUndefOrPoisonElement() ||
          (Shuffle && isa<UndefValue>(C)))
        continue;
      // A vector may be made of nothing but elements without a value, of both kinds.
      U.set(match(C, PatternMatch::m_Undef())
                ? Constant::getNullValue(C->getType())
                : Constant::replaceUndefsWith(
                      C, Constant::getNullValue(C->getType()->getScalarType())));
    }
  }
}

} // namespace isozyme
