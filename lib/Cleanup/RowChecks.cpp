//===- RowChecks.cpp - Checks of rows that loops walk backwards -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for s = n - 1 down to 0:  for i: { a'[i] += d * b[s * w + i]; b'[s * w + i] += d * a[i]; }
//
// Where rows may overlap, LLVM's vectoriser compares their ends at run time, and does so for all
// iterations of the loop around at once, in front of it. It then asks in addition that rows go up:
// here they go down, the check always fails, and the loop never runs in its vector form. An offset
// of a row that is frozen says nothing of the loop around, so that each row is checked by itself.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Cleanup/RowChecks.h"
#include "isozyme/Support/LoopMarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace isozyme {

/// Is \p V a number that falls, or may fall, from one iteration of \p Around to the next?
static bool mayFall(Value &V, const Loop &Around, ScalarEvolution &SE) {
  if (!V.getType()->isIntegerTy() || !SE.isSCEVable(V.getType()))
    return false;
  auto *Moving = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&V));
  return Moving && Moving->getLoop() == &Around &&
         !SE.isKnownNonNegative(Moving->getStepRecurrence(SE));
}

using OffsetUses = MapVector<Instruction *, SmallVector<Use *, 4>>;

/// Offsets of rows, computed in \p Around, that addresses of accesses in \p Inner are made of.
static OffsetUses fallingOffsets(const Loop &Inner, const Loop &Around, ScalarEvolution &SE) {
  SetVector<Instruction *> Parts;
  auto add = [&](Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && Around.contains(I))
      Parts.insert(I);
  };
  for (BasicBlock *BB : Inner.blocks())
    for (Instruction &I : *BB)
      if (Value *Ptr = getLoadStorePointerOperand(&I))
        add(Ptr);
  OffsetUses Found;
  for (size_t Next = 0; Next < Parts.size(); ++Next) {
    Instruction *Part = Parts[Next];
    if (isa<PHINode, LoadInst>(Part) || (!Inner.contains(Part) && !isa<GetElementPtrInst>(Part)))
      continue;
    for (Use &U : Part->operands()) {
      auto *Offset = dyn_cast<Instruction>(U.get());
      if (Offset && Around.contains(Offset) && !Inner.contains(Offset) &&
          mayFall(*Offset, Around, SE))
        Found[Offset].push_back(&U);
      else
        add(U.get());
    }
  }
  return Found;
}

static bool freezeOffsets(const Loop &Inner, const Loop &Around, ScalarEvolution &SE) {
  OffsetUses Offsets = fallingOffsets(Inner, Around, SE);
  for (auto &[Offset, Uses] : Offsets) {
    auto *Row = new FreezeInst(Offset, "row", *Offset->getInsertionPointAfterDef());
    Row->setDebugLoc(Offset->getDebugLoc());
    for (Use *U : Uses)
      U->set(Row);
  }
  return !Offsets.empty();
}

PreservedAnalyses RowChecksPass::run(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto hasChecks = [&](Loop &L) {
    return FAM.getResult<LoopAccessAnalysis>(F)
               .getInfo(L)
               .getRuntimePointerChecking()
               ->getNumberOfChecks() != 0;
  };
  for (Loop *Around : LI.getLoopsInPreorder()) {
    if (!findStringMetadataForLoop(Around, FallMark))
      continue;
    Around->setLoopID(
        makePostTransformationMetadata(F.getContext(), Around->getLoopID(), {FallMark}, {}));
    for (Loop *Inner : *Around)
      if (Inner->isInnermost() && hasChecks(*Inner))
        Changed |= freezeOffsets(*Inner, *Around, FAM.getResult<ScalarEvolutionAnalysis>(F));
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace isozyme
