//===- SplitReleases.cpp - One release per block of memory -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where several ways end by releasing something, the optimiser makes one call of these. Then
// blocks that have nothing else in common are reached by one pointer, and what is known of one
// would count for the others.
//
// before:  a: br label %end   b: br label %end        after:  a: call free(%x)   b: call free(%y)
//          end: %p = phi [%x, %a], [%y, %b]
//               call free(%p)
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace isozyme {

/// The call that releases what \p P chooses from, if \p P is for nothing else and the call could
/// as well come before the block that both are in.
static CallBase *onlyRelease(PHINode &P, const TargetLibraryInfo &TLI) {
  auto *Call = P.hasOneUse() ? dyn_cast<CallInst>(P.user_back()) : nullptr;
  BasicBlock *BB = P.getParent();
  if (!Call || Call->getParent() != BB || !Call->use_empty() || Call->isMustTailCall() ||
      freedPointer(*Call, TLI) != &P)
    return nullptr;
  for (Instruction &I : make_range(BB->getFirstNonPHIIt(), Call->getIterator()))
    if (I.mayReadOrWriteMemory() || !isGuaranteedToTransferExecutionToSuccessor(&I))
      return nullptr;
  for (const Use &U : Call->operands())
    if (auto *I = dyn_cast<Instruction>(U.get()); I && I->getParent() == BB && !isa<PHINode>(I))
      return nullptr;
  SmallPtrSet<BasicBlock *, 4> Seen;
  for (BasicBlock *Pred : predecessors(BB))
    if (!isa<BranchInst, SwitchInst>(Pred->getTerminator()) || !Seen.insert(Pred).second)
      return nullptr;
  return Call;
}

static void splitRelease(PHINode &P, CallBase &Call) {
  BasicBlock *BB = P.getParent();
  for (BasicBlock *Pred : to_vector(predecessors(BB))) {
    if (Pred->getSingleSuccessor() != BB)
      Pred = SplitEdge(Pred, BB);
    Instruction *Copy = Call.clone();
    for (Use &U : Copy->operands())
      U = U->DoPHITranslation(BB, Pred);
    Copy->insertBefore(Pred->getTerminator()->getIterator());
  }
  Call.eraseFromParent();
  P.eraseFromParent();
}

void splitReleases(Function &F, const TargetLibraryInfo &TLI) {
  for (bool Changed = true; std::exchange(Changed, false);)
    for (BasicBlock &BB : F)
      for (PHINode &P : make_early_inc_range(BB.phis()))
        if (CallBase *Call = onlyRelease(P, TLI)) {
          splitRelease(P, *Call);
          Changed = true;
        }
}

} // namespace isozyme
