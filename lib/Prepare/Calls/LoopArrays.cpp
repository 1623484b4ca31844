//===- LoopArrays.cpp - Arrays of variable length in loops ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   s = stacksave()                 s = stacksave()
//   v = alloca double, n      ->    v = malloc(8 * n)
//   stackrestore(s)                 free(v)
//                                   stackrestore(s)
//
// A derivative does not give the stack back before it ends, for it may need what lies
// there: in a loop of many iterations the stack would not last.
//
// In: a clone, before its markers are dropped.  Out: the same, where each iteration of a
// loop gives an array back.  Never: touches arrays that live as long as the function.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Target/TargetRuntime.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

using EndOf = function_ref<bool(const Instruction &)>;

/// Finds the first instruction that \p IsEnd on each way from \p Start to the next iteration
/// of \p L or out of the function. Returns whether there is one on all of them; where the
/// program ends, none is wanted.
static bool firstEnds(Instruction &Start, const Loop &L, EndOf IsEnd,
                      SetVector<Instruction *> &Ends) {
  bool OnAll = true;
  SmallVector<Instruction *> Work = {Start.getNextNode()};
  SmallPtrSet<const BasicBlock *, 8> Seen;
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    while (!IsEnd(*I) && !I->isTerminator())
      I = I->getNextNode();
    if (IsEnd(*I)) {
      Ends.insert(I);
      continue;
    }
    OnAll &= !isa<ReturnInst>(I);
    for (BasicBlock *Next : successors(I)) {
      if (Next == L.getHeader())
        OnAll = false;
      else if (Seen.insert(Next).second)
        Work.push_back(&Next->front());
    }
  }
  return OnAll;
}

/// Where the stack is given back in which \p Array lies, once in each iteration; empty when
/// that is not so.
static SetVector<Instruction *> endsOf(AllocaInst &Array, const Loop &L, const DominatorTree &DT) {
  SetVector<Instruction *> Ends, Again;
  auto GivesBack = [&](const Instruction &I) {
    auto *Restore = dyn_cast<IntrinsicInst>(&I);
    if (!Restore || Restore->getIntrinsicID() != Intrinsic::stackrestore)
      return false;
    auto *Save = dyn_cast<IntrinsicInst>(Restore->getArgOperand(0));
    return Save && Save->getIntrinsicID() == Intrinsic::stacksave && DT.dominates(Save, &Array);
  };
  bool Fits = firstEnds(Array, L, GivesBack, Ends);
  for (Instruction *End : Ends) {
    Fits &= DT.dominates(&Array, End);
    firstEnds(*End, L, [&](const Instruction &I) { return Ends.contains(&I); }, Again);
  }
  if (!Fits || !Again.empty())
    Ends.clear();
  return Ends;
}

static void moveToHeap(AllocaInst &Array, ArrayRef<Instruction *> Ends) {
  Module &M = *Array.getModule();
  const TargetRuntime &Target = targetRuntime(M);
  IRBuilder<> B(&Array);
  Type *I64 = B.getInt64Ty();
  Value *Size = B.getInt64(M.getDataLayout().getTypeAllocSize(Array.getAllocatedType()));
  Value *Bytes = B.CreateMul(B.CreateZExtOrTrunc(Array.getArraySize(), I64), Size);
  Align A = Array.getAlign();
  CallInst *New;
  if (A.value() <= 16) {
    New = Target.allocate(B, Bytes);
  } else { // The C standard wants a multiple of the alignment.
    Value *Whole =
        B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(A.value() - 1)), B.getInt64(-A.value()));
    New = Target.allocateAligned(B, B.getInt64(A.value()), Whole);
    New->addRetAttr(Attribute::getWithAlignment(B.getContext(), A));
  }
  New->takeName(&Array);
  Array.replaceAllUsesWith(New);
  Array.eraseFromParent();
  for (Instruction *End : Ends) {
    B.SetInsertPoint(End);
    Target.release(B, New);
  }
}

void lowerLoopArrays(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<AllocaInst *> Arrays;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && !A->isStaticAlloca() && !A->getAddressSpace() &&
                                            !A->getAllocatedType()->isScalableTy())
      Arrays.push_back(A);
  if (Arrays.empty())
    return;
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  for (AllocaInst *Array : Arrays)
    if (const Loop *L = LI.getLoopFor(Array->getParent()))
      if (SetVector<Instruction *> Ends = endsOf(*Array, *L, DT); !Ends.empty())
        moveToHeap(*Array, Ends.getArrayRef());
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace isozyme
