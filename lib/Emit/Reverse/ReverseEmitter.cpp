//===- ReverseEmitter.cpp - Execute a reverse plan ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the sweeps together. A combined derivative is the forward sweep whose
// return goes on into the reverse sweep; a split pair is the same two sweeps in
// two functions with the tape between them.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Emit/ReverseEmitter.h"
#include "DebugScope.h"
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static void addGradients(ReverseSweep &Reverse, Frame &F, SmallVectorImpl<Value *> &Members) {
  for (Argument &A : F.P.function().args()) {
    if (F.Plan.Request.Args[A.getArgNo()] != ArgActivity::Active)
      continue;
    if (F.Plan.Steps.of(&A).Adjoint)
      Members.push_back(joinLanes(Reverse.atEnd(), Reverse.gradientOf(&A)));
    else
      Members.push_back(Constant::getNullValue(laneType(A.getType(), F.Width)));
  }
}

/// After everything that reads memory, before everything that releases it. The shadow of an
/// address waits as its step says: the reverse sweep may read what shadow memory holds until then.
static void placeLateStores(const DerivativePlan &Plan, const ForwardSweep &Forward,
                            ReverseSweep &Reverse, Instruction &Before) {
  for (StoreInst *S : Plan.Late.stores()) {
    auto *Clone = cast<StoreInst>(Forward.primal(S));
    Clone->moveBefore(Before.getIterator());
    for (StoreInst *Shadow : Forward.waiting(*S))
      Shadow->moveBefore(Before.getIterator());
    if (Plan.Fused.isLate(S->getValueOperand()))
      Clone->setOperand(0, Reverse.atLast(S->getValueOperand()));
  }
}

static void finishCombined(Frame &F, Function *Counter, const BasicBlock *Reverse) {
  if (Counter)
    countFirst(F.Fn, *Counter, SmallVector<Value *, 8>(F.Primal.begin(), F.Primal.end()),
               F.Plan.Request.ReturnPrimal);
  F.describeArguments();
  giveDebugScope(F.Fn, F.P, "gradient of", Reverse);
}

/// A list of its own, for what the derivative puts there. The one that there was.
static Value *openList(IRBuilder<> B) {
  Value *List = B.CreateThreadLocalAddress(releaseList(*B.GetInsertBlock()->getModule()));
  Value *Outer = B.CreateLoad(B.getPtrTy(), List, "outer.list");
  B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), List);
  return Outer;
}

Error emitReverse(Function &Shell, const DerivativePlan &Plan, PairLookup Pairs,
                  Function *Counter) {
  Frame F(Shell, Plan);
  ForwardSweep Forward(F, Pairs);
  Forward.emit();
  ReturnInst *Return = Forward.returnInst();
  if (!Return) { // Never returns: there is nothing to reverse.
    Forward.finish();
    finishCombined(F, Counter, nullptr);
    return Error::success();
  }
  ReverseSweep Reverse(F, &Forward, Pairs);
  BasicBlock *Start = Return->getParent();
  // The return stays until the end: places in front of it are still in use.
  auto *Middle = BasicBlock::Create(Shell.getContext(), "rev", &Shell);
  Value *OuterList = nullptr;
  if (Plan.ReleasesAtEnd) {
    BasicBlock &Entry = Shell.getEntryBlock();
    const bool FillsEarly = any_of(Plan.Steps.steps(), [](auto &Each) {
      return Each.second.Sweep == SweepStep::ReleaseLater;
    });
    OuterList = openList(FillsEarly ? IRBuilder<>(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca())
                                    : IRBuilder<>(Middle));
  }
  if (Error E = Reverse.emit(Middle)) {
    Forward.finish();
    return E;
  }
  for (const FusedLoop &L : Plan.Fused.loops())
    for (Instruction *I : L.Late)
      Reverse.atLast(I);
  SmallVector<Value *, 4> Members;
  if (Plan.Request.ReturnPrimal)
    Members.push_back(
        Reverse.atLast(cast<ReturnInst>(Plan.P.returnBlock()->getTerminator())->getReturnValue()));
  addGradients(Reverse, F, Members);
  Instruction *Release = nullptr;
  if (OuterList) {
    IRBuilder<> &B = Reverse.atEnd();
    Release = B.CreateCall(releaseAll(*Shell.getParent()));
    B.CreateStore(OuterList, B.CreateThreadLocalAddress(releaseList(*Shell.getParent())));
  }
  if (Plan.MarksMemory) {
    AllocaInst *Own = F.local(Type::getInt8Ty(Shell.getContext()), "tape.frame");
    BasicBlock &Entry = Shell.getEntryBlock();
    IRBuilder<> AtStart(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    unmarkMemory(Reverse.atEnd(), markMemory(AtStart, Own));
  }
  createReturn(Reverse.atEnd(), Members);
  Forward.finish();
  Return->eraseFromParent();
  placeLateStores(Plan, Forward, Reverse,
                  Release ? *Release : *Reverse.atEnd().GetInsertBlock()->getTerminator());
  IRBuilder<>(Start).CreateBr(Middle);
  F.Scopes.declare();
  finishCombined(F, Counter, Middle);
  return Error::success();
}

Error emitAugment(const SplitPair &Self, const DerivativePlan &Plan, PairLookup Pairs) {
  Frame F(*Self.Augment, Plan);
  ForwardSweep Forward(F, Pairs);
  Forward.emit();
  ReturnInst *Return = Forward.returnInst();
  if (!Return) {
    Forward.finish();
    F.describeArguments();
    giveDebugScope(*Self.Augment, Plan.P, "forward half of the gradient of");
    return Error::success();
  }
  SmallVector<Value *, 3> Members;
  Value *Prepared = cast<ReturnInst>(Plan.P.returnBlock()->getTerminator())->getReturnValue();
  IRBuilder<> B(Return);
  if (Prepared)
    Members.push_back(Forward.primal(Prepared));
  if (Plan.Request.Return == ReturnActivity::Dup)
    Members.push_back(joinLanes(B, Forward.shadow(Prepared)));
  if (Self.Tape)
    Members.push_back(F.pack(B, Self));
  createReturn(B, Members);
  Forward.finish();
  Return->eraseFromParent();
  F.Scopes.declare();
  F.describeArguments();
  giveDebugScope(*Self.Augment, Plan.P, "forward half of the gradient of");
  return Error::success();
}

/// The tests and sums that tell the type of an integer stay in the forward half; a derivative
/// of this half needs to know it as well.
static void markNumbers(const Frame &F) {
  for (const Argument &A : F.P.function().args())
    if (F.Plan.Steps.of(&A).IsNumber)
      markNumber(*F.Primal[A.getArgNo()]);
}

Error emitFromTape(const SplitPair &Self, const DerivativePlan &Plan, PairLookup Pairs) {
  Function &Fn = *Self.FromTape;
  Frame F(Fn, Plan);
  F.KeepTape = Self.KeepTape;
  auto *Entry = BasicBlock::Create(Fn.getContext(), "entry", &Fn);
  if (!Plan.P.returnBlock()) {
    new UnreachableInst(Fn.getContext(), Entry); // The forward half never came back.
    return Error::success();
  }
  markNumbers(F);
  F.makeTopSlots();
  IRBuilder<> B(Entry);
  F.unpack(B, Self);
  ReverseSweep Reverse(F, nullptr, Pairs);
  if (Error E = Reverse.emit(Entry))
    return E;
  SmallVector<Value *, 4> Members;
  addGradients(Reverse, F, Members);
  createReturn(Reverse.atEnd(), Members);
  F.Scopes.declare();
  F.describeArguments(/*HasPrimal=*/false);
  giveDebugScope(Fn, Plan.P, "reverse half of the gradient of");
  return Error::success();
}

} // namespace isozyme
