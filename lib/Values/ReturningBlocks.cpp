//===- ReturningBlocks.cpp - Where a function may return ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/ReturningBlocks.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

SmallPtrSet<const BasicBlock *, 32> returningBlocks(const Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Returning;
  SmallVector<const BasicBlock *, 32> Work;
  for (const BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()))
      Work.push_back(&BB);
  while (!Work.empty()) {
    const BasicBlock *BB = Work.pop_back_val();
    if (Returning.insert(BB).second)
      append_range(Work, predecessors(BB));
  }
  return Returning;
}

} // namespace isozyme
