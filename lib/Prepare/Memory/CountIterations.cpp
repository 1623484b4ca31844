//===- CountIterations.cpp - How often code is differentiated -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   call i32 @__enzyme_iter(i32 %n, i32 %k)
//   =>
//   %next = add i32 %n, %k
//   call i32 @__enzyme_iter(i32 %next, i32 %k)
//
// A derivative is made of the prepared function, so its number is one step further; a
// derivative of the derivative prepares it again. At last the call becomes its number.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Requests/MarkerNames.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

void countIterations(Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || entryPoint(Callee->getName()) != EntryPoint::Iter || Call->arg_size() != 2)
      continue;
    IRBuilder<> B(Call);
    Value *Step = B.CreateSExtOrTrunc(Call->getArgOperand(1), Call->getArgOperand(0)->getType());
    Call->setArgOperand(0, B.CreateAdd(Call->getArgOperand(0), Step, "iteration"));
  }
}

} // namespace isozyme
