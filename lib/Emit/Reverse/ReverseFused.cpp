//===- ReverseFused.cpp - Loops that run in the reverse sweep only --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   rev.for.entry:  sum.next := 0                     what is carried begins
//   rev.latch:      sum := sum.next                   the reverse of an iteration begins
//   for.again ...   the iteration, as the primal has it, and what it keeps
//   for.again.end:  sum.next := ...
//   ...             its adjoint; then the next one, until the primal's loop ends
//   end:            what is computed from sum.next
//
//===----------------------------------------------------------------------===//
#include "AnyOrder.h"
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace isozyme {

Value *ReverseSweep::inIteration(Value *V, Site &Outside) {
  if (isa<Constant, MetadataAsValue>(V))
    return V;
  if (Value *Mine = Again.lookup(V))
    return Mine;
  return primal(V, Outside);
}

void ReverseSweep::cloneIteration(const FusedLoop &A, Site &S, Site &Outside, BasicBlock *Then) {
  LLVMContext &C = F.Fn.getContext();
  DenseMap<BasicBlock *, BasicBlock *> Clones;
  for (BasicBlock *BB : A.L->blocks())
    Clones[BB] = BasicBlock::Create(C, BB->getName() + ".again", &F.Fn);
  SmallVector<Instruction *, 32> New;
  for (BasicBlock *BB : A.L->blocks())
    for (Instruction &I : *BB) {
      if (Again.count(&I) || (BB == A.latch() && I.isTerminator()))
        continue;
      Instruction *Clone = I.clone();
      Clone->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa, LLVMContext::MD_prof});
      F.Scopes.primal(Clone);
      IRBuilder<> B(Clones[BB]);
      locate(B, &I);
      B.Insert(Clone, I.hasName() ? I.getName() + ".again" : "");
      Clone->setDebugLoc(B.getCurrentDebugLocation());
      Again[&I] = Clone;
      New.push_back(Clone);
    }
  for (Instruction *Clone : New) {
    for (Use &U : Clone->operands())
      U = isa<BasicBlock>(U.get()) ? Clones.lookup(cast<BasicBlock>(U.get()))
                                   : inIteration(U.get(), Outside);
    if (auto *Phi = dyn_cast<PHINode>(Clone))
      for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
        Phi->setIncomingBlock(I, Clones.lookup(Phi->getIncomingBlock(I)));
  }
  for (const UnseenSum &Sum : Plan.Unseen.sums())
    for (Instruction *Addition : Sum)
      if (Clones.contains(Addition->getParent()))
        Again[Addition] = addInAnyOrder(*cast<Instruction>(Again.lookup(Addition)));
  IRBuilder<>(S.At).CreateBr(Clones[A.L->getHeader()]);
  IRBuilder<>(Clones[A.latch()]).CreateBr(Then);
}

/// Where the iteration that runs keeps a value.
Value *ReverseSweep::slotOfIteration(unsigned Slot, Instruction *Before, Site &Outside) {
  const TapeSlot &T = Plan.Tape.slots()[Slot];
  const TapeRegion &R = Plan.Tape.regions()[T.Region];
  if (R.Shape == TapeShape::Scalar)
    return F.topSlot(Slot);
  Value *Base = baseOf(T.Region, Outside);
  IRBuilder<> B(Before);
  Value *Index = linearIndex(B, P, R, {}, [&](Value *V) { return inIteration(V, Outside); });
  return B.CreateInBoundsGEP(T.Elem, Base, {Index}, "tape.at");
}

void ReverseSweep::keepOfIteration(const FusedLoop &A, Site &Outside) {
  for (auto &[N, D] : Plan.Keep) {
    auto *I = dyn_cast<Instruction>(N.V);
    if (D.K != KeepDecision::Cache || !I || !A.L->contains(I))
      continue;
    auto *Mine = cast<Instruction>(Again.lookup(I));
    Instruction *Before =
        isa<PHINode>(Mine) ? &*Mine->getParent()->getFirstInsertionPt() : Mine->getNextNode();
    Value *At = slotOfIteration(D.Slot, Before, Outside), *V = Mine;
    Type *Elem = Plan.Tape.slots()[D.Slot].Elem;
    IRBuilder<> B(Before);
    if (V->getType()->isIntegerTy())
      V = B.CreateZExtOrTrunc(V, Elem);
    F.Scopes.tape(B.CreateAlignedStore(V, At, tapeAlign(V->getType(), F.Fn.getDataLayout())));
  }
}

void ReverseSweep::runIteration(const FusedLoop &A, Site &S) {
  LLVMContext &C = F.Fn.getContext();
  Site &Outside = *Entries.find(A.L)->second;
  Again[P.canonical(A.L).IV] = counter(A.L, S);
  SmallVector<std::pair<PHINode *, AllocaInst *>, 4> Carried;
  for (PHINode *Phi : A.carried(P)) {
    AllocaInst *Next = F.local(Phi->getType(), Phi->getName() + ".next");
    Value *First = inIteration(Phi->getIncomingValueForBlock(A.L->getLoopPreheader()), Outside);
    IRBuilder<>(Outside.At).CreateStore(First, Next);
    Again[Phi] = IRBuilder<>(S.At).CreateLoad(Phi->getType(), Next, Phi->getName() + ".again");
    Carried.push_back({Phi, Next});
  }
  auto *Then = BasicBlock::Create(C, A.L->getHeader()->getName() + ".again.end", &F.Fn);
  cloneIteration(A, S, Outside, Then);
  keepOfIteration(A, Outside);
  IRBuilder<> B(Then);
  for (auto &[Phi, Next] : Carried)
    B.CreateStore(inIteration(Phi->getIncomingValueForBlock(A.latch()), Outside), Next);
  for (Instruction *Result : A.Results) {
    AllocaInst *Local = F.local(Result->getType(), Result->getName() + ".last");
    B.CreateStore(inIteration(Result, Outside), Local);
    Results[Result] = Local;
  }
  auto *Way = cast<BranchInst>(A.latch()->getTerminator());
  Value *Condition = inIteration(Way->getCondition(), Outside);
  IsLast[A.L] = Way->getSuccessor(0) == A.exit() ? Condition : B.CreateNot(Condition, "is.last");
  S.At = Then;
}

Value *ReverseSweep::atLast(Value *V) {
  if (!Plan.Fused.isLate(V))
    return Forward->primal(V);
  auto It = LateValues.find(V);
  if (It != LateValues.end())
    return It->second;
  auto *I = cast<Instruction>(V);
  auto *Phi = dyn_cast<PHINode>(I);
  Value *Last = nullptr;
  if (!Phi) {
    Instruction *Clone = I->clone();
    for (Use &U : Clone->operands())
      if (!isa<Constant, MetadataAsValue>(U.get()))
        U = atLast(U.get());
    Last = End->Insert(Clone, I->hasName() ? I->getName() + ".late" : "");
  } else if (AllocaInst *Local = Phi->getNumIncomingValues() == 1
                                     ? Results.lookup(Phi->getIncomingValue(0))
                                     : nullptr) {
    Last = End->CreateLoad(Phi->getType(), Local, Phi->getName() + ".late");
  } else {
    Value *From = Forward->primal(P.cameFrom(Phi->getParent()));
    for (auto [Number, Pred] : enumerate(P.predecessorsOf(Phi->getParent()))) {
      Value *Mine = atLast(Phi->getIncomingValueForBlock(Pred));
      Last = Last ? End->CreateSelect(
                        End->CreateICmpEQ(From, ConstantInt::get(From->getType(), Number)), Mine,
                        Last, Phi->getName() + ".late")
                  : Mine;
    }
  }
  return LateValues[V] = Last;
}

} // namespace isozyme
