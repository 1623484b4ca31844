//===- InlineParts.cpp - Helpers of a derivative become part of it --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a derivative is differentiated again, the address of a record of its tape
// depends on the record's size, which is a constant of the call: without it, nothing
// could be said of what lies where in the tape.
//
//===----------------------------------------------------------------------===//
#include "InlineParts.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

void inlineParts(Function &F) {
  SmallVector<CallInst *> Parts;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() &&
        Call->getCalledFunction()->hasFnAttribute(marking::PartOfCaller))
      Parts.push_back(Call);
  for (CallInst *Call : Parts) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
}

} // namespace isozyme
