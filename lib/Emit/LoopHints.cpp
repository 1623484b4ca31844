//===- LoopHints.cpp - What the optimiser leaves of a loop ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopHints.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace isozyme {

void wishForLoop(Instruction &Back, StringRef Wish) {
  LLVMContext &C = Back.getContext();
  Metadata *Wishes[] = {nullptr, MDNode::get(C, MDString::get(C, Wish))};
  MDNode *Loop = MDNode::getDistinct(C, Wishes);
  Loop->replaceOperandWith(0, Loop); // The name of a loop is the node itself.
  Back.setMetadata(LLVMContext::MD_loop, Loop);
}

} // namespace isozyme
