//===- CameFrom.cpp - Where control came from, as a value ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  d:    br i1 %c, label %a, label %b     a: br %join    b: br %join
// after:   join: %from = select i1 %c, i8 0, i8 1
//
// A select is computed again from its condition; a phi of constants, the form
// for all other joins, has to be kept.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace isozyme {

/// Whether control that reaches \p BB from \p Pred has taken the edge \p From -> \p To.
static bool isBehindEdge(const BasicBlock *From, const BasicBlock *To, const BasicBlock *Pred,
                         const BasicBlock &BB, const DominatorTree &DT) {
  if (Pred == From)
    return To == &BB;
  return DT.dominates(BasicBlockEdge(From, To), Pred);
}

/// The branch whose condition alone decides which of two predecessors control
/// comes from; null when no such branch is known. \p FirstIfTrue says which way.
static BranchInst *decidingBranch(BasicBlock &BB, ArrayRef<BasicBlock *> Preds,
                                  const DominatorTree &DT, const LoopInfo &LI, bool &FirstIfTrue) {
  if (Preds.size() != 2)
    return nullptr;
  auto *Above = DT.getNode(&BB)->getIDom();
  auto *Branch = dyn_cast<BranchInst>(Above->getBlock()->getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  // Outside the loop of the condition its use would break LCSSA form.
  if (auto *Condition = dyn_cast<Instruction>(Branch->getCondition()))
    if (Loop *L = LI.getLoopFor(Condition->getParent()); L && !L->contains(&BB))
      return nullptr;
  auto IsBehind = [&](BasicBlock *Pred, unsigned Side) {
    return isBehindEdge(Above->getBlock(), Branch->getSuccessor(Side), Pred, BB, DT);
  };
  for (unsigned Side : {0u, 1u})
    if (IsBehind(Preds[0], Side) && IsBehind(Preds[1], 1 - Side)) {
      FirstIfTrue = Side == 0;
      return Branch;
    }
  return nullptr;
}

Value *emitCameFrom(BasicBlock &BB, ArrayRef<BasicBlock *> Preds, const DominatorTree &DT,
                    const LoopInfo &LI) {
  IRBuilder<> B(&BB, BB.begin());
  IntegerType *Ty = Preds.size() <= 256 ? B.getInt8Ty() : B.getInt32Ty();
  bool FirstIfTrue = true;
  if (BranchInst *Branch = decidingBranch(BB, Preds, DT, LI, FirstIfTrue)) {
    B.SetInsertPoint(&BB, BB.getFirstInsertionPt());
    return B.Insert(SelectInst::Create(Branch->getCondition(),
                                       ConstantInt::get(Ty, FirstIfTrue ? 0 : 1),
                                       ConstantInt::get(Ty, FirstIfTrue ? 1 : 0)),
                    "from");
  }
  PHINode *From = B.CreatePHI(Ty, Preds.size(), "from");
  // A predecessor with several edges has an entry for each.
  for (unsigned Position = 0; Position != Preds.size(); ++Position)
    for (BasicBlock *To : successors(Preds[Position]))
      if (To == &BB)
        From->addIncoming(ConstantInt::get(Ty, Position), Preds[Position]);
  return From;
}

} // namespace isozyme
