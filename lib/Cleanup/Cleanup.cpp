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
#include "isozyme/Ops/OpView.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace isozyme {

static void promoteLocals(Function &F) {
  DominatorTree DT(F);
  AssumptionCache AC(F);
  SmallVector<AllocaInst *, 32> Promotable;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Promotable.push_back(A);
  if (!Promotable.empty())
    PromoteMemToReg(Promotable, DT, &AC);
}

/// Adding to the adjoint 0 and selecting between zeros: folded here, so that
/// plans that skip symbolic zeros and plans that do not give the same code.
static void simplifyInstructions(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (isInstructionTriviallyDead(&I)) {
        I.eraseFromParent();
        Changed = true;
        continue;
      }
      Value *V = simplifyInstruction(&I, SimplifyQuery(DL, &I));
      if (!V || V == &I || I.use_empty())
        continue;
      I.replaceAllUsesWith(V);
      Changed = true;
    }
  }
}

/// sin, pow and the like write errno at most, which nobody looks at between the
/// operations of a derivative. Without that effect unused ones can go.
static void dropErrno(Function &F, const TargetLibraryInfo &TLI) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || isa<IntrinsicInst>(Call))
      continue;
    OpView V = viewOf(I, TLI);
    if ((V.Class != OpClass::Elementwise && V.Class != OpClass::Zero) ||
        any_of(Call->args(), [](const Use &U) { return U->getType()->isPointerTy(); }))
      continue;
    Call->setDoesNotAccessMemory();
    Call->addFnAttr(Attribute::WillReturn);
    Call->setDoesNotThrow();
  }
}

void cleanUp(Function &F, const TargetLibraryInfo &TLI) {
  dropErrno(F, TLI);
  removeUnreachableBlocks(F);
  promoteLocals(F);
  simplifyInstructions(F);
}

} // namespace isozyme
