//===- TellFunctionsApart.cpp - No function is another one ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM does not say that two member functions differ: a linker may make one of those
// that have equal code, and then it does not matter which of them is called. Branches
// for objects of other classes would hide what this one holds:
//
//   icmp eq ptr @A::value, @B::value  ->  false
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

static bool isOneForSure(const Value *V) {
  auto *F = dyn_cast<Function>(V);
  return F && !F->isDeclaration() && !F->isInterposable();
}

void tellFunctionsApart(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Compare = dyn_cast<ICmpInst>(&I);
    if (!Compare || !Compare->isEquality())
      continue;
    Value *A = Compare->getOperand(0), *B = Compare->getOperand(1);
    if (A == B || !isOneForSure(A) || !isOneForSure(B))
      continue;
    Compare->replaceAllUsesWith(
        ConstantInt::getBool(Compare->getType(), Compare->getPredicate() == CmpInst::ICMP_NE));
    Compare->eraseFromParent();
  }
}

} // namespace isozyme
