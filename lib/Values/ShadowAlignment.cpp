//===- ShadowAlignment.cpp - How aligned shadows are ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "isozyme/Values/ShadowAlignment.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

Align isozyme::shadowAlignment(const Instruction &I) {
  const DataLayout &DL = I.getDataLayout();
  Align Primal = getLoadStoreAlignment(&I);
  Type *Scalar = getLoadStoreType(&I)->getScalarType();
  Align Element(PowerOf2Ceil(DL.getTypeStoreSize(Scalar).getFixedValue()));
  if (Primal <= Element)
    return Primal;
  Align Object = getKnownAlignment(const_cast<Value *>(getLoadStorePointerOperand(&I)), DL);
  return std::min(Primal, std::max(Element, Object));
}

void isozyme::alignAsShadow(Instruction &Copy, const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&Copy))
    Load->setAlignment(shadowAlignment(I));
  else if (auto *Store = dyn_cast<StoreInst>(&Copy))
    Store->setAlignment(shadowAlignment(I));
}
