//===- UncarriedPhis.cpp - Phis that carry nothing through a loop ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for:   %x = phi [ undef, %entry ], [ %y, %latch ]      condition the same in each iteration
//          br i1 %condition, label %then, label %join
//   join:  %y = phi [ %x, %for ], [ %v, %then ]
//
// Optimisers leave this behind of a value that only %then computes. If control never goes
// from %for to %join, nobody reads %x; if it always does, %x is undef in each iteration. It
// looks like a value that one iteration hands to the next, which keeps them from being
// independent of each other.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

static bool carriesNothing(const PHINode &X, const Loop &L) {
  const BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch(),
                   *Before = L.getLoopPreheader();
  auto *Way = dyn_cast<BranchInst>(Header->getTerminator());
  if (!Latch || !Before || !Way || !Way->isConditional() ||
      !L.isLoopInvariant(Way->getCondition()) || Way->getSuccessor(0) == Way->getSuccessor(1) ||
      !isa<UndefValue>(X.getIncomingValueForBlock(Before)))
    return false;
  auto *Y = dyn_cast<PHINode>(X.getIncomingValueForBlock(Latch));
  if (!Y || !L.contains(Y) || Y->getParent() == Header || Y->getBasicBlockIndex(Header) < 0 ||
      Y->getIncomingValueForBlock(Header) != &X)
    return false;
  return all_of(X.uses(), [&](const Use &U) {
    auto *Phi = dyn_cast<PHINode>(U.getUser());
    return Phi && Phi->getParent() == Y->getParent() && Phi->getIncomingBlock(U) == Header;
  });
}

void dropUncarriedPhis(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    for (PHINode &X : make_early_inc_range(L->getHeader()->phis()))
      if (carriesNothing(X, *L)) {
        X.replaceAllUsesWith(UndefValue::get(X.getType()));
        X.eraseFromParent();
      }
}

} // namespace isozyme
