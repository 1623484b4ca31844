//===- DropMarkers.cpp - Remove what only guides the optimiser -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lifetimes, assumptions, scopes, prefetches and the like compute nothing, and a
// derivative that moved or repeated them would make their claims false. Values
// that merely pass through such a marker are used directly.
//
// What is said of a scope that is declared in a loop holds for each of its iterations alone:
//
//   for (i ...) step(&x[i + 1], &x[i]);      step(double *restrict a, const double *restrict b)
//
// Without the declaration it would be taken for all iterations together, so it goes, too.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace isozyme {

/// No result that matters, no effect on memory or control.
static bool isMarker(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::stackrestore:
  case Intrinsic::prefetch:
  case Intrinsic::donothing:
  case Intrinsic::sideeffect:
  case Intrinsic::pseudoprobe:
  case Intrinsic::var_annotation:
  case Intrinsic::codeview_annotation:
  case Intrinsic::fake_use:
    return true;
  default:
    return false;
  }
}

/// The result is the first operand.
static bool passesThrough(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::annotation:
  case Intrinsic::ptr_annotation:
  case Intrinsic::ssa_copy:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
    return true;
  default:
    return false;
  }
}

static SmallPtrSet<Metadata *, 8> scopesOfLoops(Function &F) {
  SmallPtrSet<Metadata *, 8> Scopes;
  for (auto It = scc_begin(&F); !It.isAtEnd(); ++It) {
    if (!It.hasCycle())
      continue;
    for (BasicBlock *BB : *It)
      for (Instruction &I : *BB)
        if (auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I))
          for (const MDOperand &Scope : Declaration->getScopeList()->operands())
            Scopes.insert(Scope.get());
  }
  return Scopes;
}

/// Nothing is apart from memory of scopes that a loop declares. To be in a scope claims nothing.
static void dropScopesOfLoops(Function &F) {
  SmallPtrSet<Metadata *, 8> Dropped = scopesOfLoops(F);
  if (Dropped.empty())
    return;
  for (Instruction &I : instructions(F)) {
    MDNode *Apart = I.getMetadata(LLVMContext::MD_noalias);
    if (!Apart)
      continue;
    SmallVector<Metadata *, 4> Kept;
    for (const MDOperand &Scope : Apart->operands())
      if (!Dropped.contains(Scope.get()))
        Kept.push_back(Scope.get());
    I.setMetadata(LLVMContext::MD_noalias,
                  Kept.empty() ? nullptr : MDNode::get(F.getContext(), Kept));
  }
}

void dropMarkers(Function &F) {
  dropScopesOfLoops(F);
  SmallVector<Instruction *> StackSaves;
  SmallVector<WeakTrackingVH> Claims;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    // Says that all loads of one group agree; without the launders it is too much.
    I.setMetadata(LLVMContext::MD_invariant_group, nullptr);
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      continue;
    // A derivative has work left when the call is done. It needs stack where the function
    // itself needed none.
    if (Call->isTailCall() && !(Call->isMustTailCall() && F.isVarArg()))
      Call->setTailCallKind(CallInst::TCK_None);
    Intrinsic::ID Id = Call->getIntrinsicID();
    if (Id == Intrinsic::assume)
      Claims.push_back(Call->getArgOperand(0));
    if (Id == Intrinsic::stacksave)
      StackSaves.push_back(Call);
    else if (passesThrough(Id))
      Call->replaceAllUsesWith(Call->getArgOperand(0));
    else if (isMarker(Id))
      Call->replaceAllUsesWith(PoisonValue::get(Call->getType()));
    else
      continue;
    if (Id != Intrinsic::stacksave)
      Call->eraseFromParent();
  }
  // Only once the restores are gone are the saves without use.
  for (Instruction *Save : StackSaves)
    if (Save->use_empty())
      Save->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Claims);
}

} // namespace isozyme
