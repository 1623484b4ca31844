//===- ForwardSweepEffects.cpp - Memory and calls in the forward sweep ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions with an effect that the forward sweep repeats on shadows: what
// moves addresses. What moves floats waits for the reverse sweep.
//
//===----------------------------------------------------------------------===//
#include "Runtime/OwnShadow.h"
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Emit/StopIf.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Values/ShadowAlignment.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

void ForwardSweep::visit(Instruction &I) {
  const Step &S = Plan.Steps.at(I);
  switch (S.Sweep) {
  case SweepStep::Nothing:
  case SweepStep::Check:
  case SweepStep::LoadAddress: // When something asks for it.
    break;
  case SweepStep::MakeShadow:
    shadow(&I);
    break;
  case SweepStep::StoreAddress:
    if (auto *Store = dyn_cast<StoreInst>(&I))
      storePointer(*Store);
    break;
  case SweepStep::CopyAddresses:
    copyPointers(cast<MemTransferInst>(I));
    break;
  case SweepStep::ClearAddresses:
    return clearPointers(cast<MemSetInst>(I));
  case SweepStep::Augment:
    return callAugmented(cast<CallBase>(I), callPlanOf(I));
  case SweepStep::LeaveOut:
    Replaced.push_back(cast<Instruction>(primal(&I)));
    return;
  case SweepStep::ReleaseLater:
    return releaseLast(cast<CallBase>(I));
  case SweepStep::Stop:
    return stopAt(cast<CallBase>(I), callPlanOf(I));
  case SweepStep::Expect:
    return stopWhereChanged(cast<AtomicRMWInst>(I));
  }
  if (S.StopsAtOverlap)
    stopAtOverlap(cast<MemMoveInst>(I));
  if (auto *A = dyn_cast<AllocaInst>(&I); A && Plan.onHeap(A, Part::Primal))
    moveToHeap(*A);
  if (std::optional<MaskedAccess> Access = maskedAccess(I); Access && !Access->IsLoad)
    return storeMasked(cast<IntrinsicInst>(I), *Access);
  if (S.Shadow == ShadowReach::Stopped)
    stop(I);
}

void ForwardSweep::releaseLast(CallBase &I) {
  auto *Release = cast<CallInst>(primal(&I));
  SmallVector<Value *, 3> Operands(Release->args());
  IRBuilder<> B(Release);
  createReleaseLater(B, I, freedPointer(I, P.libraryInfo()), Operands, {});
  Replaced.push_back(Release);
}

/// What stands in memory while other threads have not come yet is not the result, by which a thread
/// would know whether its value is it.
void ForwardSweep::stopWhereChanged(AtomicRMWInst &I) {
  IRBuilder<> B(After.lookup(&I));
  B.SetCurrentDebugLocation(debugLocOf(&I));
  Value *Old = primal(&I), *X = primal(I.getValOperand());
  auto isBeyond = [&] {
    switch (I.getOperation()) {
    case AtomicRMWInst::FMax:
      return B.CreateFCmpOGT(X, Old);
    case AtomicRMWInst::FMin:
      return B.CreateFCmpOLT(X, Old);
    case AtomicRMWInst::Max:
      return B.CreateICmpSGT(X, Old);
    case AtomicRMWInst::Min:
      return B.CreateICmpSLT(X, Old);
    case AtomicRMWInst::UMax:
      return B.CreateICmpUGT(X, Old);
    default:
      return B.CreateICmpULT(X, Old);
    }
  };
  emitStop(B, isBeyond(), debugLocOf(&I).get(),
           "memory does not hold the result of this atomic operation when the gradient begins");
}

const CallPlan &ForwardSweep::callPlanOf(const Instruction &I) const {
  return Plan.Calls.find(cast<CallBase>(&I))->second;
}

Value *ForwardSweep::isOwn(IRBuilder<> &B, Value *Ptr, unsigned Lane) {
  return B.CreateICmpEQ(shadow(Ptr)[Lane], primal(Ptr));
}

/// Ends the program where \p I would read or store a derivative in memory that nobody has
/// declared to be without.
void ForwardSweep::stop(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return stopWhereLost(*S);
  std::optional<MaskedAccess> Access = maskedAccess(I);
  stopWhereOwn(I, Access ? Access->Address : getLoadStorePointerOperand(&I));
}

void ForwardSweep::stopWhereLost(StoreInst &S) {
  Value *V = S.getValueOperand();
  bool Address = V->getType()->isPointerTy();
  Lanes Values = Address ? shadow(V) : Lanes(F.Width, nullptr);
  shadow(S.getPointerOperand());
  IRBuilder<> B(After.lookup(&S));
  B.SetCurrentDebugLocation(debugLocOf(&S));
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    Value *Lost = isOwn(B, S.getPointerOperand(), Lane);
    if (Address)
      Lost = B.CreateAnd(Lost, B.CreateICmpNE(Values[Lane], primal(V)));
    emitStop(B, Lost, P, &S);
  }
}

/// A copy in pages goes by way of a block, which is wrong where the two sides overlap.
void ForwardSweep::stopAtOverlap(MemMoveInst &M) {
  shadow(M.getRawDest());
  IRBuilder<> B(After.lookup(&M));
  B.SetCurrentDebugLocation(debugLocOf(&M));
  Value *To = primal(M.getRawDest()), *From = primal(M.getRawSource());
  Value *Length = B.CreateZExtOrTrunc(primal(M.getLength()), B.getInt64Ty());
  Value *Apart = B.CreateBinaryIntrinsic(Intrinsic::abs, B.CreatePtrDiff(B.getInt8Ty(), To, From),
                                         B.getFalse());
  Value *Overlap = B.CreateICmpULT(Apart, Length);
  for (unsigned Lane = 0; Lane < F.Width; ++Lane)
    emitStop(B, B.CreateAnd(Overlap, isOwn(B, M.getRawDest(), Lane)), P, &M);
}

void ForwardSweep::stopWhereOwn(Instruction &I, Value *Ptr) {
  shadow(Ptr);
  IRBuilder<> B(After.lookup(&I));
  B.SetCurrentDebugLocation(debugLocOf(&I));
  for (unsigned Lane = 0; Lane < F.Width; ++Lane)
    emitStop(B, anyOf(B, isOwn(B, Ptr, Lane)), P, &I);
}

void ForwardSweep::storePointer(StoreInst &S) {
  Value *V = S.getValueOperand();
  const ShadowReach Reach = Plan.Steps.at(S).Shadow;
  Lanes Values = shadow(V), To = shadow(S.getPointerOperand());
  IRBuilder<> B(After.lookup(&S));
  B.SetCurrentDebugLocation(debugLocOf(&S));
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    Value *Each = Values[Lane];
    if (Reach == ShadowReach::Paged) {
      Value *At =
          pagedShadow(B, primal(S.getPointerOperand()), To[Lane], {Lane, Plan.Request.Level});
      B.CreateAlignedStore(Each, At, shadowAlignment(S), S.isVolatile());
      continue;
    }
    // Memory that is its own shadow holds the address already: it is stored once more.
    if (isCompared(Reach))
      Each = B.CreateSelect(isOwn(B, S.getPointerOperand(), Lane), primal(V), Each);
    StoreInst *New = B.CreateAlignedStore(Each, To[Lane], shadowAlignment(S), S.isVolatile());
    if (Plan.Steps.at(S).Waits)
      Waiting[&S].push_back(New);
  }
}

/// Addresses stored under a mask, on shadow memory likewise; of numbers only that they
/// would be lost.
void ForwardSweep::storeMasked(IntrinsicInst &I, const MaskedAccess &Access) {
  const Step &Todo = Plan.Steps.at(I);
  bool Addresses = Todo.Sweep == SweepStep::StoreAddress;
  bool Trap = Todo.Shadow == ShadowReach::Stopped;
  if (!Addresses && !Trap)
    return;
  Lanes To = shadow(Access.Address), Values = Addresses ? shadow(Access.Data) : To;
  IRBuilder<> B(After.lookup(&I));
  B.SetCurrentDebugLocation(debugLocOf(&I));
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    Value *Own = isCompared(Todo.Shadow) ? isOwn(B, Access.Address, Lane) : nullptr;
    Value *Mask = primal(Access.Mask);
    if (Own && !Own->getType()->isVectorTy())
      Own = B.CreateVectorSplat(cast<VectorType>(Mask->getType())->getElementCount(), Own);
    if (Trap)
      emitStop(B, B.CreateOrReduce(B.CreateAnd(Own, Mask)), P, &I);
    if (!Addresses)
      continue;
    auto *New = cast<IntrinsicInst>(cast<IntrinsicInst>(primal(&I))->clone());
    New->setArgOperand(0, Values[Lane]);
    New->setArgOperand(1, To[Lane]);
    New->setArgOperand(2, Own ? B.CreateAnd(Mask, B.CreateNot(Own)) : Mask);
    B.Insert(New);
  }
}

void ForwardSweep::copyPointers(MemTransferInst &M) {
  const Step &Todo = Plan.Steps.at(M);
  Lanes To = shadow(M.getRawDest()), From = shadow(M.getRawSource());
  IRBuilder<> B(After.lookup(&M));
  B.SetCurrentDebugLocation(debugLocOf(&M));
  for (auto [Lane, D, S] : enumerate(To, From)) {
    Value *Length = primal(M.getLength());
    if (isLimitedByBlockSize(M))
      Length = limitToBlock(B, Length, S);
    bool PagedTo = Todo.Shadow == ShadowReach::Paged;
    bool PagedFrom = Todo.Source == ShadowReach::Paged;
    if (isCompared(Todo.Shadow))
      Length = zeroWhereOwn(B, isOwn(B, M.getRawDest(), Lane), Length);
    ShadowIndex Index{unsigned(Lane), Plan.Request.Level};
    ShadowBlock Write(B, PagedTo, primal(M.getRawDest()), D, Length, Index);
    ShadowBlock Read(B, PagedFrom, primal(M.getRawSource()), S, Length, Index);
    const ByteRuns &Layout = Plan.Steps.bytesOf(M);
    if (Layout.hasWords() || (isa<MemMoveInst>(M) && Layout.Runs.size() > 1))
      B.CreateCall(moveAddressRuns(*M.getModule(), Layout),
                   {B.CreateAddrSpaceCast(Write.memory(), B.getPtrTy()),
                    B.CreateAddrSpaceCast(Read.memory(), B.getPtrTy()),
                    B.CreateZExtOrTrunc(Length, B.getInt64Ty())});
    else
      forRuns(B, Layout, Length, ByteRun::Addresses,
              [&](const ByteRun &, Value *Offset, Value *Rows, Value *Stride, Value *Bytes) {
                copyRows(B, B.CreateInBoundsPtrAdd(Write.memory(), Offset),
                         B.CreateInBoundsPtrAdd(Read.memory(), Offset), {Rows, Stride, Bytes});
              });
    Write.close(/*Written=*/true);
    Read.close(/*Written=*/false);
  }
}

void ForwardSweep::clearPointers(MemSetInst &M) {
  const bool Own = Plan.Steps.at(M).Shadow != ShadowReach::Direct;
  Lanes To = shadow(M.getRawDest());
  IRBuilder<> B(After.lookup(&M));
  B.SetCurrentDebugLocation(debugLocOf(&M));
  const ByteRuns &Layout = Plan.Steps.bytesOf(M);
  if (Layout.hasWords()) {
    Value *Zeros = F.zeroBlock(B, Layout.Period);
    for (auto [Lane, D] : enumerate(To))
      B.CreateCall(moveAddressRuns(*M.getModule(), Layout),
                   {D, Zeros,
                    zeroWhereOwn(B, Own ? isOwn(B, M.getRawDest(), Lane) : nullptr,
                                 B.CreateZExtOrTrunc(primal(M.getLength()), B.getInt64Ty()))});
    return;
  }
  forRuns(B, Layout, primal(M.getLength()), ByteRun::Addresses,
          [&](const ByteRun &, Value *Offset, Value *Rows, Value *Stride, Value *Bytes) {
            for (auto [Lane, D] : enumerate(To))
              clearRows(B, B.CreateInBoundsPtrAdd(D, Offset),
                        {zeroWhereOwn(B, Own ? isOwn(B, M.getRawDest(), Lane) : nullptr, Rows),
                         Stride, Bytes});
          });
}

/// Nothing comes back: the values stand for what is never used.
void ForwardSweep::stopAt(CallBase &Call, const CallPlan &C) {
  auto *Old = cast<CallBase>(primal(&Call));
  IRBuilder<> B(Old);
  emitStop(B, B.getTrue(), Call.getDebugLoc(), C.Reason);
  if (!Call.getType()->isVoidTy()) {
    Value *None = Constant::getNullValue(Call.getType());
    Old->replaceAllUsesWith(None);
    Map[&Call] = None;
    Shadows[&Call].assign(F.Width, None);
  }
  Replaced.push_back(Old);
}

/// %r = call double @f(ptr %p)
///   ->  %both = call {double, tape} @augment.f(ptr %p, ptr %p.shadow)
void ForwardSweep::callAugmented(CallBase &Call, const CallPlan &C) {
  SplitPair Pair = Pairs(C.Callee);
  auto *Old = cast<CallBase>(primal(&Call));
  SmallVector<Lanes, 8> ShadowArgs(Call.arg_size());
  for (unsigned I = 0; I < C.Callee.Args.size(); ++I)
    if (C.Callee.hasShadow(I))
      ShadowArgs[I] = shadow(Call.getArgOperand(I));
  // Behind the old call: what is put behind the instruction in front of it, perhaps later on, as
  // the shadow of a pointer that is loaded there, must come before the call.
  IRBuilder<> B(After.lookup(&Call));
  B.SetCurrentDebugLocation(Old->getDebugLoc());
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < C.Callee.Args.size(); ++I) {
    Args.push_back(primal(Call.getArgOperand(I)));
    append_range(Args, ShadowArgs[I]);
  }
  CallInst *New = B.CreateCall(Pair.Augment, Args);
  unsigned Next = 0;
  if (!Call.getType()->isVoidTy()) {
    Value *Result = B.CreateExtractValue(New, Next++);
    Result->takeName(Old);
    Old->replaceAllUsesWith(Result);
    Map[&Call] = Result;
  }
  if (C.Callee.Return == ReturnActivity::Dup)
    Shadows[&Call] = splitLanes(B, B.CreateExtractValue(New, Next++), F.Width);
  if (Pair.Tape)
    Tapes[&Call] = B.CreateExtractValue(New, Next++, Call.getName() + ".tape");
  Replaced.push_back(Old);
}

/// Memory for a local that outlives the forward half: a block, or a place in that of several.
ForwardSweep::LocalMemory ForwardSweep::allocateLocal(IRBuilder<> &B, AllocaInst &A, Part Which,
                                                      unsigned Lane) {
  const LocalBlock::Member *M = Plan.Locals.find(&A, Which);
  if (!M) {
    CallInst *Memory = isozyme::allocateLocal(B, A, primal(A.getArraySize()), Plan.Tape.memory());
    return {Memory, Memory->getArgOperand(0)};
  }
  if (!LocalsAt) {
    IRBuilder<> InFront(After.lookup(Plan.Locals.first()));
    LocalsAt = allocateTape(InFront, Plan.Tape.memory(), B.getInt64(Plan.Locals.bytes()), "locals");
  }
  TypeSize Bytes = *A.getAllocationSize(F.Fn.getDataLayout());
  return {B.CreateInBoundsPtrAdd(LocalsAt, B.getInt64(M->Offset + Lane * M->Stride)),
          B.getInt64(Bytes)};
}

void ForwardSweep::moveToHeap(AllocaInst &A) {
  auto *Old = cast<AllocaInst>(primal(&A));
  IRBuilder<> B(After.lookup(&A));
  Value *Memory = allocateLocal(B, A, Part::Primal, 0).At;
  Memory->takeName(Old);
  Old->replaceAllUsesWith(Memory);
  Map[&A] = Memory;
  Replaced.push_back(Old);
}

} // namespace isozyme
