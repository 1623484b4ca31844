//===- DeviceQueries.cpp - Where a thread of a GPU is ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (int i = threadIdx.x; i < n; i += blockDim.x)
//
// The number of a thread, and how many there are, never change. They are asked for once, where the
// function begins, so that the step of such a loop is known to be the same in all iterations.
//
// In: any function.  Out: queries in the entry block, one of each; and what is read at a constant
// distance of an address that a query gives, where it is said never to change.
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

/// A clock is a query that has another answer each time, and says so.
static bool isSteadyQuery(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->arg_empty() && isDeviceQuery(Call->getIntrinsicID()) &&
         Call->doesNotAccessMemory() && Call->hasFnAttr(Attribute::Speculatable);
}

/// Is it the same wherever it stands, if \p Steady are?
static bool isSteady(const Instruction &I, const SmallPtrSetImpl<const Value *> &Steady) {
  if (isSteadyQuery(I))
    return true;
  if (auto *At = dyn_cast<GetElementPtrInst>(&I))
    return At->hasAllConstantIndices() && Steady.contains(At->getPointerOperand());
  if (isa<AddrSpaceCastInst>(I))
    return Steady.contains(I.getOperand(0));
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && Load->hasMetadata(LLVMContext::MD_invariant_load) &&
         Steady.contains(Load->getPointerOperand());
}

void hoistDeviceQueries(Function &F) {
  if (!acceleratorOf(*F.getParent()))
    return;
  SmallPtrSet<const Value *, 16> Steady;
  DenseMap<Function *, Instruction *> Asked;
  BasicBlock &Entry = F.getEntryBlock();
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (!isSteady(I, Steady))
        continue;
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        Instruction *&First = Asked[Call->getCalledFunction()];
        if (First) {
          I.replaceAllUsesWith(First);
          I.eraseFromParent();
          continue;
        }
        First = &I;
      }
      Steady.insert(&I);
      if (BB == &Entry)
        continue; // In order already: what is moved goes behind.
      I.moveBefore(Entry.getTerminator()->getIterator());
      I.dropLocation();
    }
}

} // namespace isozyme
