//===- AnyOrder.cpp - Additions in any order ------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %s = fmuladd %a, %b, %before        %p = fmul contract %a, %b
//                                       %s = fadd reassoc contract %p, %before
//
// LLVM finds the sum in a row of additions only, and fuses them again with their products where
// the processor can.
//
//===----------------------------------------------------------------------===//
#include "AnyOrder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

Instruction *addInAnyOrder(Instruction &Addition) {
  auto *Fused = dyn_cast<IntrinsicInst>(&Addition);
  if (!Fused) {
    Addition.setHasAllowReassoc(true);
    return &Addition;
  }
  IRBuilder<> B(Fused);
  FastMathFlags Flags = Fused->getFastMathFlags();
  Flags.setAllowContract();
  Value *Product = B.CreateFMulFMF(Fused->getArgOperand(0), Fused->getArgOperand(1), Flags);
  Flags.setAllowReassoc();
  // Not by the builder, which may find that there is nothing to add.
  auto *Sum = BinaryOperator::CreateFAdd(Product, Fused->getArgOperand(2));
  Sum->setFastMathFlags(Flags);
  B.Insert(Sum);
  Sum->takeName(Fused);
  Fused->replaceAllUsesWith(Sum);
  Fused->eraseFromParent();
  return Sum;
}

} // namespace isozyme
