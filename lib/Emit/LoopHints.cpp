//===- LoopHints.cpp - What the optimiser leaves of a loop ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopHints.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace isozyme {

static void addProperty(Instruction &Back, MDNode *Property) {
  SmallVector<Metadata *, 4> Properties = {nullptr};
  if (const MDNode *Known = Back.getMetadata(LLVMContext::MD_loop))
    append_range(Properties, drop_begin(Known->operands()));
  Properties.push_back(Property);
  MDNode *Loop = MDNode::getDistinct(Back.getContext(), Properties);
  Loop->replaceOperandWith(0, Loop); // The name of a loop is the node itself.
  Back.setMetadata(LLVMContext::MD_loop, Loop);
}

void wishForLoop(Instruction &Back, StringRef Wish) {
  LLVMContext &C = Back.getContext();
  addProperty(Back, MDNode::get(C, MDString::get(C, Wish)));
}

static SmallSetVector<BasicBlock *, 8> blocksOfLoop(BasicBlock &Header, Instruction &Back) {
  SmallSetVector<BasicBlock *, 8> Blocks;
  Blocks.insert(&Header);
  Blocks.insert(Back.getParent());
  for (unsigned I = 1; I < Blocks.size(); ++I)
    Blocks.insert_range(predecessors(Blocks[I]));
  return Blocks;
}

void promiseIndependence(BasicBlock &Header, Instruction &Back) {
  LLVMContext &C = Back.getContext();
  MDNode *Group = MDNode::getDistinct(C, {});
  for (BasicBlock *BB : blocksOfLoop(Header, Back))
    for (Instruction &I : *BB)
      if (const Value *Ptr = getLoadStorePointerOperand(&I); Ptr && !isa<AllocaInst>(Ptr))
        I.setMetadata(LLVMContext::MD_access_group, Group);
  addProperty(Back, MDNode::get(C, {MDString::get(C, "llvm.loop.parallel_accesses"), Group}));
}

} // namespace isozyme
