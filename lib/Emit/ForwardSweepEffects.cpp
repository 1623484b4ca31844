//===- ForwardSweepEffects.cpp - Memory and calls in the forward sweep ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions with an effect that the forward sweep repeats on shadows: what
// moves addresses. What moves floats waits for the reverse sweep.
//
//===----------------------------------------------------------------------===//
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Needs/BulkLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

void ForwardSweep::visit(Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto It = Plan.Calls.find(Call);
    if (It == Plan.Calls.end())
      return;
    switch (It->second.K) {
    case CallPlan::Differentiate:
      return callAugmented(*Call, It->second);
    case CallPlan::Allocate:
      shadow(Call);
      return;
    case CallPlan::Free:
      Replaced.push_back(cast<Instruction>(primal(Call)));
      return;
    case CallPlan::BulkMemory:
      if (auto *Copy = dyn_cast<MemTransferInst>(Call))
        return copyPointers(*Copy);
      if (auto *Set = dyn_cast<MemSetInst>(Call))
        return clearPointers(*Set);
      return;
    case CallPlan::Inactive:
    case CallPlan::ByRule:
    case CallPlan::Structural:
      return;
    }
  }
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    if (Plan.Activity.isActiveValue(A))
      shadow(A);
    if (Plan.onHeap(A, Part::Primal))
      moveToHeap(*A);
    return;
  }
  if (auto *S = dyn_cast<StoreInst>(&I); S && Plan.Activity.isActiveInstruction(S))
    storePointer(*S);
}

void ForwardSweep::storePointer(StoreInst &S) {
  Value *V = S.getValueOperand();
  if (!V->getType()->isPtrOrPtrVectorTy() && !storesNullPointer(S, Plan.Types))
    return;
  Lanes Values = shadow(V), To = shadow(S.getPointerOperand());
  IRBuilder<> B(After.lookup(&S));
  B.SetCurrentDebugLocation(debugLocOf(&S));
  for (auto [Each, At] : zip_equal(Values, To))
    B.CreateAlignedStore(Each, At, S.getAlign(), S.isVolatile());
}

/// For each run of addresses among the \p Length bytes: Emit(offset, rows, stride, bytes).
static void forRows(IRBuilder<> &B, const MemoryLayout &Layout, Value *Length,
                    ConcreteType::Kind Kind,
                    function_ref<void(uint64_t, Value *, Value *, Value *)> Emit) {
  for (const TypedRun &R : Layout.Runs) {
    if (R.Type.kind() != Kind)
      continue;
    Value *Bytes = B.CreateZExtOrTrunc(Length, B.getInt64Ty());
    if (Layout.Runs.size() == 1)
      Emit(0, B.getInt64(1), B.getInt64(0), Bytes);
    else
      Emit(R.Offset, B.CreateUDiv(Bytes, B.getInt64(Layout.Period)), B.getInt64(Layout.Period),
           B.getInt64(R.Size));
  }
}

void ForwardSweep::copyPointers(MemTransferInst &M) {
  MemoryLayout Layout = cantFail(bulkLayout(Plan.facts(), M));
  if (none_of(Layout.Runs,
              [](const TypedRun &R) { return R.Type.kind() == ConcreteType::Pointer; }))
    return;
  Lanes To = shadow(M.getRawDest()), From = shadow(M.getRawSource());
  IRBuilder<> B(After.lookup(&M));
  B.SetCurrentDebugLocation(debugLocOf(&M));
  forRows(B, Layout, primal(M.getLength()), ConcreteType::Pointer,
          [&](uint64_t Offset, Value *Rows, Value *Stride, Value *Bytes) {
            for (auto [D, S] : zip_equal(To, From))
              B.CreateCall(copyRows(*F.Fn.getParent()),
                           {B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), D, Offset),
                            B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), S, Offset), Rows, Stride,
                            Bytes});
          });
}

void ForwardSweep::clearPointers(MemSetInst &M) {
  MemoryLayout Layout = cantFail(bulkLayout(Plan.facts(), M));
  if (none_of(Layout.Runs,
              [](const TypedRun &R) { return R.Type.kind() == ConcreteType::Pointer; }))
    return;
  Lanes To = shadow(M.getRawDest());
  IRBuilder<> B(After.lookup(&M));
  B.SetCurrentDebugLocation(debugLocOf(&M));
  forRows(B, Layout, primal(M.getLength()), ConcreteType::Pointer,
          [&](uint64_t Offset, Value *Rows, Value *Stride, Value *Bytes) {
            for (Value *D : To)
              B.CreateCall(
                  clearRows(*F.Fn.getParent()),
                  {B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), D, Offset), Rows, Stride, Bytes});
          });
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
  IRBuilder<> B(Old);
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

void ForwardSweep::moveToHeap(AllocaInst &A) {
  auto *Old = cast<AllocaInst>(primal(&A));
  IRBuilder<> B(After.lookup(&A));
  Value *Bytes =
      B.CreateMul(B.CreateZExtOrTrunc(Old->getArraySize(), B.getInt64Ty()),
                  B.getInt64(F.Fn.getDataLayout().getTypeAllocSize(A.getAllocatedType())));
  Value *Memory = B.CreateCall(tapeAllocate(*F.Fn.getParent()), {Bytes});
  Memory->takeName(Old);
  Old->replaceAllUsesWith(Memory);
  Map[&A] = Memory;
  Replaced.push_back(Old);
}

} // namespace isozyme
