//===- ReverseCalls.cpp - The adjoint of calls and bulk memory ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Needs/BulkLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

void ReverseSweep::visitCall(CallBase &I, const CallPlan &C, Site &S) {
  switch (C.K) {
  case CallPlan::Differentiate:
    return callFromTape(I, C, S);
  case CallPlan::BulkMemory:
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      return visitCopy(*Copy, S);
    return visitMemSet(cast<MemSetInst>(I), S);
  case CallPlan::Free:
    return putOffRelease(I, S);
  case CallPlan::Allocate:
  case CallPlan::Inactive:
  case CallPlan::ByRule:
  case CallPlan::Structural:
    return;
  }
}

/// %r = call double @f(double %x, ptr %p)
///   ->  %g = call {double} @reverse.f(double %x, ptr %p, ptr %p.shadow, double %r.adj, tape)
///       %x.adj += %g.0
void ReverseSweep::callFromTape(CallBase &I, const CallPlan &C, Site &S) {
  SplitPair Pair = Pairs(C.Callee);
  SmallVector<Value *, 16> Args;
  for (unsigned Number = 0; Number < C.Callee.Args.size(); ++Number) {
    Value *Arg = I.getArgOperand(Number);
    // What the callee does not read was not planned: any value will do.
    bool Known = isa<Constant>(Arg) || Plan.decisionFor({Arg, Part::Primal});
    Args.push_back(Known ? primal(Arg, S) : PoisonValue::get(Arg->getType()));
    if (!C.Callee.hasShadow(Number))
      continue;
    if (isa<Constant>(Arg) || Plan.decisionFor({Arg, Part::Shadow}))
      append_range(Args, shadow(Arg, S));
    else
      Args.append(F.Width, PoisonValue::get(Arg->getType()));
  }
  Value *Tape = Pair.Tape ? lookup({&I, Part::Tape}, S)[0] : nullptr;
  IRBuilder<> B(S.At);
  locate(B, &I);
  if (C.Callee.Return == ReturnActivity::Active) {
    Lanes Seed(F.Width, Constant::getNullValue(I.getType()));
    if (Adjoints.carries(&I))
      Seed = Adjoints.take(B, &I);
    Args.push_back(joinLanes(B, Seed));
  }
  if (Tape)
    Args.push_back(Tape);
  CallInst *Gradients = B.CreateCall(Pair.FromTape, Args);
  unsigned Next = 0;
  for (unsigned Number = 0; Number < C.Callee.Args.size(); ++Number)
    if (C.Callee.Args[Number] == ArgActivity::Active)
      Adjoints.add(B, I.getArgOperand(Number),
                   splitLanes(B, B.CreateExtractValue(Gradients, Next++), F.Width));
}

/// Calls Emit(address offset, rows, stride, elements or bytes) for each run of floats.
static void forFloatRuns(IRBuilder<> &B, const MemoryLayout &Layout, Value *Length,
                         const DataLayout &DL,
                         function_ref<void(const TypedRun &, uint64_t, Value *, Value *, Value *)> Emit) {
  Value *Bytes = B.CreateZExtOrTrunc(Length, B.getInt64Ty());
  for (const TypedRun &R : Layout.Runs) {
    if (!R.Type.isFloat())
      continue;
    if (Layout.Runs.size() == 1)
      Emit(R, 0, B.getInt64(1), B.getInt64(0), Bytes);
    else
      Emit(R, R.Offset, B.CreateUDiv(Bytes, B.getInt64(Layout.Period)), B.getInt64(Layout.Period),
           B.getInt64(R.Size));
  }
}

void ReverseSweep::visitCopy(MemTransferInst &I, Site &S) {
  MemoryLayout Layout = cantFail(bulkLayout(Plan.facts(), I));
  Value *Length = isa<Constant>(I.getLength()) ? I.getLength() : primal(I.getLength(), S);
  Lanes To = shadow(I.getRawDest(), S);
  bool Moves = Plan.Activity.isActiveValue(I.getRawSource());
  Lanes From = Moves ? shadow(I.getRawSource(), S) : To;
  IRBuilder<> B(S.At);
  locate(B, &I);
  Module &M = *F.Fn.getParent();
  const DataLayout &DL = M.getDataLayout();
  forFloatRuns(B, Layout, Length, DL,
               [&](const TypedRun &R, uint64_t Offset, Value *Rows, Value *Stride, Value *Bytes) {
                 Type *Float = R.Type.floatType();
                 for (auto [D, Source] : zip_equal(To, From)) {
                   Value *At = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), D, Offset);
                   if (!Moves) {
                     B.CreateCall(clearRows(M), {At, Rows, Stride, Bytes});
                     continue;
                   }
                   Value *Count = B.CreateUDiv(Bytes, B.getInt64(DL.getTypeAllocSize(Float)));
                   Value *Add = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Source, Offset);
                   B.CreateCall(copyAdjoint(M, Float), {At, Add, Rows, Stride, Count});
                 }
               });
}

void ReverseSweep::visitMemSet(MemSetInst &I, Site &S) {
  MemoryLayout Layout = cantFail(bulkLayout(Plan.facts(), I));
  Value *Length = isa<Constant>(I.getLength()) ? I.getLength() : primal(I.getLength(), S);
  Lanes To = shadow(I.getRawDest(), S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Module &M = *F.Fn.getParent();
  forFloatRuns(B, Layout, Length, M.getDataLayout(),
               [&](const TypedRun &, uint64_t Offset, Value *Rows, Value *Stride, Value *Bytes) {
                 for (Value *D : To)
                   B.CreateCall(clearRows(M),
                                {B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), D, Offset), Rows,
                                 Stride, Bytes});
               });
}

/// The forward sweep has left out this release, for the reverse sweep still uses
/// the memory. It is put on a list, for the end of the outermost reverse sweep.
void ReverseSweep::putOffRelease(CallBase &I, Site &S) {
  Module &M = *F.Fn.getParent();
  Value *Sizes[2] = {nullptr, nullptr};
  Value *Memory = nullptr;
  Lanes Shadows;
  unsigned Next = 0;
  for (Value *Operand : I.args()) {
    Value *V = isa<Constant>(Operand) ? Operand : primal(Operand, S);
    if (!Operand->getType()->isPointerTy()) {
      Sizes[Next++] = V;
      continue;
    }
    Memory = V;
    Shadows = shadow(Operand, S);
  }
  IRBuilder<> B(S.At);
  locate(B, &I);
  for (Value *&Size : Sizes)
    Size = Size ? B.CreateZExtOrTrunc(Size, B.getInt64Ty()) : B.getInt64(0);
  Function *Release = releaseThunk(M, I);
  Shadows.push_back(Memory);
  for (Value *Pointer : Shadows)
    B.CreateCall(releaseLater(M), {Pointer, Release, Sizes[0], Sizes[1]});
}

void ReverseSweep::releaseAlloca(AllocaInst &I, Site &S) {
  for (Part Which : {Part::Primal, Part::Shadow}) {
    if (!Plan.onHeap(&I, Which))
      continue;
    Lanes Pointers = lookup({&I, Which}, S);
    IRBuilder<> B(S.At);
    for (Value *Pointer : Pointers)
      B.CreateCall(tapeRelease(*F.Fn.getParent()), {Pointer});
  }
}

} // namespace isozyme
