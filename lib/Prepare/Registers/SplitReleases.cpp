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
// What is released by a step back from its end, by all of its length, is released at its start:
// where memory has no shadow, the start in the shadow is null, and a step back from null is not.
//
// before:  call free(end - (end - start))                after:  call free(start)
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// The address from which it is \p Count elements of \p Size bytes up to \p End.
static Value *startBefore(Value *Count, uint64_t Size, Value *End) {
  Value *Bytes = Count, *Start = nullptr;
  if (Size != 1 && !match(Count, m_Exact(m_SDiv(m_Value(Bytes), m_SpecificInt(Size)))) &&
      !(isPowerOf2_64(Size) &&
        match(Count, m_Exact(m_AShr(m_Value(Bytes), m_SpecificInt(Log2_64(Size)))))))
    return nullptr;
  bool IsLength = match(Bytes, m_Sub(m_PtrToInt(m_Specific(End)), m_PtrToInt(m_Value(Start))));
  return IsLength ? Start : nullptr;
}

/// Has the step back from the end of a block that \p Call releases, as a `std::vector<bool>` does,
/// replaced by the start.
static void releaseFromStart(CallBase &Call, const TargetLibraryInfo &TLI) {
  Value *Freed = freedPointer(Call, TLI), *Count = nullptr;
  auto *Back = dyn_cast_or_null<GetElementPtrInst>(Freed);
  if (!Back || Back->getNumIndices() != 1 || !match(Back->getOperand(1), m_Neg(m_Value(Count))))
    return;
  TypeSize Size = Call.getDataLayout().getTypeAllocSize(Back->getSourceElementType());
  Value *End = Back->getPointerOperand();
  if (Value *Start = Size.isFixed() ? startBefore(Count, Size, End) : nullptr)
    Call.replaceUsesOfWith(Freed, Start);
}

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
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      releaseFromStart(*Call, TLI);
}

} // namespace isozyme
