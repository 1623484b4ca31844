//===- MergeReturns.cpp - One return per function --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  a: ret double %x        after:  a: br label %return   b: br label %return
//          b: ret double %y                return: %result = phi [%x, %a], [%y, %b]
//                                                  ret double %result
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

BasicBlock *mergeReturns(Function &F) {
  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
      Returns.push_back(Return);
  if (Returns.empty())
    return nullptr;
  if (Returns.size() == 1)
    return Returns.front()->getParent();
  BasicBlock *Merged = BasicBlock::Create(F.getContext(), "return", &F);
  PHINode *Result = nullptr;
  if (!F.getReturnType()->isVoidTy())
    Result = PHINode::Create(F.getReturnType(), Returns.size(), "result", Merged);
  auto *TheReturn = ReturnInst::Create(F.getContext(), Result, Merged);
  const DILocation *Loc = Returns.front()->getDebugLoc();
  for (ReturnInst *Return : Returns) {
    BasicBlock *BB = Return->getParent();
    if (Result)
      Result->addIncoming(Return->getReturnValue(), BB);
    Loc = DILocation::getMergedLocation(const_cast<DILocation *>(Loc), Return->getDebugLoc().get());
    auto *Branch = BranchInst::Create(Merged, Return->getIterator());
    Branch->setDebugLoc(Return->getDebugLoc());
    Return->eraseFromParent();
  }
  TheReturn->setDebugLoc(DebugLoc(Loc));
  return Merged;
}

} // namespace isozyme
