//===- Cleanup.cpp - Tidy up a derivative function ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: an emitted derivative.  Out: the same in registers.
// Never: differentiates, or changes what the function computes.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Cleanup/Cleanup.h"
#include "InlineParts.h"
#include "PromoteLocals.h"
#include "isozyme/Ops/ErrnoCalls.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

/// Adding to the adjoint 0 and selecting between zeros: folded here, so that
/// plans that skip symbolic zeros and plans that do not give the same code.
/// Each instruction is looked at once, and again when an operand has changed.
static void simplifyInstructions(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<WeakTrackingVH, 32> Dead;
  SetVector<Instruction *> Open, Next;
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *BB)
      Open.insert(&I);
  while (!Open.empty()) {
    for (Instruction *I : Open) {
      if (isInstructionTriviallyDead(I)) {
        Dead.push_back(I);
        continue;
      }
      Value *V = I->use_empty() ? nullptr : simplifyInstruction(I, SimplifyQuery(DL, I));
      if (!V || V == I)
        continue;
      for (User *U : I->users())
        if (U != I)
          Next.insert(cast<Instruction>(U));
      I->replaceAllUsesWith(V);
      if (isInstructionTriviallyDead(I))
        Dead.push_back(I);
    }
    Open.clear();
    std::swap(Open, Next);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}

/// Nobody looks at errno between the operations of a derivative. Without that effect, unused
/// math functions can go.
static void dropErrno(Function &F, const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !writesErrnoAtMost(*Call, TLI))
      continue;
    Call->setDoesNotAccessMemory();
    Call->addFnAttr(Attribute::WillReturn);
    Call->setDoesNotThrow();
  }
}

/// Code generators order the instructions between two calls by a graph of them that
/// has an edge per pair of accesses to memory. They begin a new graph where a value
/// must be visible to a debugger, too, which is otherwise without effect.
static void cutLongBlocks(Function &F) {
  constexpr unsigned LongBlock = 2048, MaxAccesses = 256;
  for (BasicBlock &BB : F) {
    if (BB.size() < LongBlock)
      continue;
    unsigned Accesses = 0;
    for (Instruction &I : make_early_inc_range(BB)) {
      if (isa<LoadInst, StoreInst>(I))
        ++Accesses;
      else if (isa<CallBase>(I) && !isa<IntrinsicInst>(I))
        Accesses = 0;
      if (Accesses < MaxAccesses || !I.getType()->isFloatingPointTy() || isa<PHINode>(I))
        continue;
      IRBuilder<> B(&BB, std::next(I.getIterator()));
      B.CreateIntrinsic(B.getVoidTy(), Intrinsic::fake_use, {&I});
      Accesses = 0;
    }
  }
}

void cleanUp(Function &F, const TargetLibraryInfo &TLI) {
  TimeTraceScope Time("isozyme-cleanup", F.getName());
  inlineParts(F);
  dropErrno(F, TLI);
  removeUnreachableBlocks(F);
  promoteLocals(F);
  simplifyInstructions(F);
  cutLongBlocks(F);
}

} // namespace isozyme
