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
// flang tells the arguments of a function apart by tags (TBAA). Where the function is inlined
// twice,
//
//   call add(y, x)       ! y is "dummy arg data/y"
//   call add(z, y)       ! and here "dummy arg data/x"
//
// the tags deny that the second reads what the first has written. Derivatives are inlined, too.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
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

/// The type \p Tag says that is accessed, or what it is part of, that is of no argument of a
/// Fortran procedure alone; null if there is none, or nothing to change.
static MDNode *typeBeyondArguments(const MDNode &Tag) {
  auto isOfArgument = [](const MDNode *Type) {
    auto *Name =
        Type && Type->getNumOperands() > 1 ? dyn_cast<MDString>(Type->getOperand(0)) : nullptr;
    return Name && Name->getString().starts_with("dummy arg data");
  };
  auto *Type = Tag.getNumOperands() > 1 ? dyn_cast_or_null<MDNode>(Tag.getOperand(1)) : nullptr;
  if (!isOfArgument(Type))
    return nullptr;
  while (isOfArgument(Type))
    Type = dyn_cast_or_null<MDNode>(Type->getOperand(1));
  return Type;
}

static void joinTagsOfArguments(Function &F) {
  MDBuilder MD(F.getContext());
  for (Instruction &I : instructions(F))
    if (MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa))
      if (MDNode *Type = typeBeyondArguments(*Tag))
        I.setMetadata(LLVMContext::MD_tbaa, MD.createTBAAStructTagNode(Type, Type, 0));
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
  joinTagsOfArguments(F);
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
