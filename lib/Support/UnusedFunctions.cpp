//===- UnusedFunctions.cpp - Functions that only each other calls ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/UnusedFunctions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

void eraseUnused(SetVector<Function *> Functions, FunctionAnalysisManager &FAM) {
  auto isUsed = [&](Function *F) {
    return any_of(F->users(), [&](User *U) {
      auto *I = dyn_cast<Instruction>(U);
      return !I || !Functions.contains(I->getFunction());
    });
  };
  while (Functions.remove_if(isUsed))
    ;
  for (Function *F : Functions)
    F->dropAllReferences();
  for (Function *F : Functions) {
    FAM.clear(*F, F->getName());
    F->eraseFromParent();
  }
}

} // namespace isozyme
