//===- SplitJoins.cpp - Joins of two ways, on a GPU -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// before:  if (a && b) x:   three ways lead to the join, from both questions and from x
// after:   the ways behind `a` are joined first
//
// Which of two ways control has come is known from the condition that parts them (CameFrom.cpp),
// and a condition is often computed again. Which of three has to be kept, once per iteration, and a
// GPU has no memory for it. Elsewhere one number for three ways is less than two conditions.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

/// Of the ways to \p BB, those behind the side \p Side of the branch that parts them all.
static SmallVector<BasicBlock *, 4> waysBehind(BasicBlock &BB, BranchInst &Branch, unsigned Side,
                                               const DominatorTree &DT) {
  SmallVector<BasicBlock *, 4> Behind;
  BasicBlock *From = Branch.getParent(), *To = Branch.getSuccessor(Side);
  for (BasicBlock *Pred : predecessors(&BB))
    if (Pred == From ? To == &BB : DT.dominates(BasicBlockEdge(From, To), Pred))
      Behind.push_back(Pred);
  return Behind;
}

static BranchInst *partingBranch(BasicBlock &BB, const DominatorTree &DT) {
  auto *Node = DT.getNode(&BB);
  auto *Above = Node ? Node->getIDom() : nullptr;
  auto *Branch = Above ? dyn_cast<BranchInst>(Above->getBlock()->getTerminator()) : nullptr;
  return Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1)
             ? Branch
             : nullptr;
}

void splitJoins(Function &F, FunctionAnalysisManager &FAM) {
  if (!acceleratorOf(*F.getParent()))
    return;
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<BasicBlock *, 16> Work;
  for (BasicBlock &BB : F)
    Work.push_back(&BB);
  while (!Work.empty()) {
    BasicBlock &BB = *Work.pop_back_val();
    const unsigned Ways = pred_size(&BB);
    BranchInst *Branch = Ways > 2 ? partingBranch(BB, DT) : nullptr;
    if (!Branch || BB.isEHPad() || any_of(predecessors(&BB), [&](BasicBlock *Pred) {
          return LI.getLoopFor(Pred) != LI.getLoopFor(&BB) ||
                 isa<SwitchInst>(Pred->getTerminator());
        }))
      continue;
    SmallVector<BasicBlock *, 4> Sides[] = {waysBehind(BB, *Branch, 0, DT),
                                            waysBehind(BB, *Branch, 1, DT)};
    if (LI.isLoopHeader(&BB) || Sides[0].size() + Sides[1].size() != Ways)
      continue;
    for (ArrayRef<BasicBlock *> Side : Sides)
      if (Side.size() > 1)
        Work.push_back(SplitBlockPredecessors(&BB, Side, ".ways", &DT, &LI));
  }
}

} // namespace isozyme
