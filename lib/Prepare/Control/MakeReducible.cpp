//===- MakeReducible.cpp - One entry for every loop ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cycle that can be entered at several blocks is no loop. It gets one entry, which
// jumps on to where control was going:
//
//       |     |                     |     |
//       A <-> B                     v     v
//                               dispatch: switch [0: A, 1: B]
//
// Edges from outside, and those from inside to the first of the entries, lead there; what is
// left of the cycle without that entry is looked at again. Six dispatchers deep, there is
// no order to be kept: the next is for all edges to where ways meet, so that no cycle is
// left in its own.
//
// Values that cross blocks are kept in memory meanwhile and put back into registers in the
// end, with the phis that the new edges need. (LLVM's FixIrreduciblePass moves phis itself;
// version 22 loses incoming values where one irreducible cycle lies within another.)
//
//===----------------------------------------------------------------------===//
#include "Steps.h"
#include "llvm/ADT/GenericCycleImpl.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace isozyme {

namespace {

const Cycle *findIrreducible(const Cycle &C) {
  if (!C.isReducible())
    return &C;
  for (const Cycle *Child : C.children())
    if (const Cycle *Found = findIrreducible(*Child))
      return Found;
  return nullptr;
}

const Cycle *findIrreducible(const CycleInfo &Cycles) {
  for (const Cycle *C : Cycles.toplevel_cycles())
    if (const Cycle *Found = findIrreducible(*C))
      return Found;
  return nullptr;
}

/// Beyond this many dispatchers within each other, the next is the last.
constexpr unsigned MaxDispatcherDepth = 6;

bool isDeep(const Cycle &C, const SmallPtrSetImpl<BasicBlock *> &Dispatchers) {
  unsigned Depth = 0;
  for (const Cycle *Around = C.getParentCycle(); Around; Around = Around->getParentCycle())
    Depth += Dispatchers.contains(Around->getHeader());
  return Depth >= MaxDispatcherDepth;
}

class EntryMerger {
public:
  explicit EntryMerger(Function &F) : F(F) {}
  bool run();

private:
  void moveValuesToMemory(const CycleInfo &Cycles);
  void moveToMemory(Instruction &I) {
    if (AllocaInst *Slot = DemoteRegToStack(I, false, F.getEntryBlock().begin()))
      Slots.push_back(Slot);
  }
  void mergeEntries(const Cycle &C);
  void redirect(BasicBlock *From, BasicBlock *To, BasicBlock *Dispatch, PHINode *Where,
                unsigned Number);

  Function &F;
  SmallVector<AllocaInst *, 32> Slots;
  SmallPtrSet<BasicBlock *, 4> Dispatchers;
};

bool isUsedElsewhere(const Instruction &I) {
  return any_of(I.users(), [&](const User *U) {
    return cast<Instruction>(U)->getParent() != I.getParent() || isa<PHINode>(U);
  });
}

/// Afterwards no block of an irreducible cycle has a phi, and nothing that is defined in
/// one is used in another block.
void EntryMerger::moveValuesToMemory(const CycleInfo &Cycles) {
  SmallSetVector<BasicBlock *, 32> Blocks;
  SmallVector<const Cycle *, 8> Work(Cycles.toplevel_begin(), Cycles.toplevel_end());
  while (!Work.empty()) {
    const Cycle *C = Work.pop_back_val();
    if (C->isReducible())
      Work.append(C->child_begin(), C->child_end());
    else
      Blocks.insert(C->block_begin(), C->block_end());
  }
  SmallVector<PHINode *, 16> Phis;
  SmallVector<Instruction *, 32> Crossing;
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      if (auto *Phi = dyn_cast<PHINode>(&I))
        Phis.push_back(Phi);
      else if (isUsedElsewhere(I))
        Crossing.push_back(&I);
    }
  for (Instruction *I : Crossing)
    moveToMemory(*I);
  for (PHINode *Phi : Phis)
    if (AllocaInst *Slot = DemotePHIToStack(Phi, F.getEntryBlock().begin()))
      Slots.push_back(Slot);
  // Reloads of phis, at the start of their block.
  Crossing.clear();
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (isUsedElsewhere(I))
        Crossing.push_back(&I);
  for (Instruction *I : Crossing)
    moveToMemory(*I);
}

void EntryMerger::redirect(BasicBlock *From, BasicBlock *To, BasicBlock *Dispatch, PHINode *Where,
                           unsigned Number) {
  auto *Edge = BasicBlock::Create(F.getContext(), "", &F, Dispatch);
  BranchInst::Create(Dispatch, Edge)->setDebugLoc(From->getTerminator()->getDebugLoc());
  From->getTerminator()->replaceSuccessorWith(To, Edge);
  Where->addIncoming(ConstantInt::get(Where->getType(), Number), Edge);
}

void EntryMerger::mergeEntries(const Cycle &C) {
  const bool All = isDeep(C, Dispatchers);
  SmallSetVector<BasicBlock *, 8> Targets(C.getEntries().begin(), C.getEntries().end());
  SmallPtrSet<BasicBlock *, 16> Inside(C.block_begin(), C.block_end());
  for (BasicBlock &BB : F)
    if (All && Inside.contains(&BB) && !BB.getUniquePredecessor())
      Targets.insert(&BB);

  auto *Dispatch = BasicBlock::Create(F.getContext(), "dispatch", &F, Targets.front());
  Dispatchers.insert(Dispatch);
  IRBuilder<> B(Dispatch);
  PHINode *Where = B.CreatePHI(B.getInt32Ty(), 8, "where");
  for (auto [Number, Target] : enumerate(Targets)) {
    SmallSetVector<BasicBlock *, 4> From;
    for (BasicBlock *Pred : predecessors(Target))
      if (All || Number == 0 || !Inside.contains(Pred))
        From.insert(Pred);
    for (BasicBlock *Pred : From)
      redirect(Pred, Target, Dispatch, Where, Number);
  }
  if (Targets.size() == 2) {
    B.CreateCondBr(B.CreateICmpEQ(Where, B.getInt32(0)), Targets[0], Targets[1]);
    return;
  }
  SwitchInst *Switch = B.CreateSwitch(Where, Targets.back(), Targets.size());
  for (unsigned Number = 0; Number + 1 < Targets.size(); ++Number)
    Switch->addCase(B.getInt32(Number), Targets[Number]);
}

bool EntryMerger::run() {
  CycleInfo Cycles;
  Cycles.compute(F);
  const Cycle *C = findIrreducible(Cycles);
  if (!C)
    return false;
  moveValuesToMemory(Cycles);
  for (; C; C = findIrreducible(Cycles)) {
    mergeEntries(*C);
    Cycles.clear();
    Cycles.compute(F);
  }
  DominatorTree DT(F);
  PromoteMemToReg(Slots, DT);
  return true;
}

} // namespace

bool makeReducible(Function &F) { return EntryMerger(F).run(); }

} // namespace isozyme
