//===- ReverseCalls.cpp - The adjoint of calls and bulk memory ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Runtime/OwnShadow.h"
#include "Sweeps.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

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

void ReverseSweep::visitCopy(MemTransferInst &I, Site &S) {
  Value *Dest = I.getRawDest(), *Source = I.getRawSource();
  Value *Length = isa<Constant>(I.getLength()) ? I.getLength() : primal(I.getLength(), S);
  Lanes To = shadow(Dest, S);
  const Step &Todo = Plan.Steps.at(I);
  bool Moves = Todo.Source != ShadowReach::None;
  Lanes From = Moves ? shadow(Source, S) : To;
  bool PagedTo = Todo.Shadow == ShadowReach::Paged, PagedFrom = Todo.Source == ShadowReach::Paged;
  Value *PrimalTo = PagedTo ? primal(Dest, S) : nullptr;
  Value *PrimalFrom = PagedFrom ? primal(Source, S) : nullptr;
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    Value *OwnTo = isOwn(Dest, Todo.Shadow, Lane, S);
    Value *OwnFrom = isOwn(Source, Todo.Source, Lane, S);
    IRBuilder<> B(S.At);
    locate(B, &I);
    bool Limited = Moves && isLimitedByBlockSize(I);
    Value *Bytes = Limited ? limitToBlock(B, Length, From[Lane]) : Length;
    Bytes = zeroWhereOwn(B, OwnTo, Bytes);
    ShadowBlock Taken(B, PagedTo, PrimalTo, To[Lane], Bytes, {Lane, Plan.Request.Level});
    ShadowBlock Added(B, PagedFrom, PrimalFrom, From[Lane], Bytes, {Lane, Plan.Request.Level});
    moveAdjoints(B, I, Bytes, Taken.memory(), Moves ? Added.memory() : nullptr, OwnFrom);
    Taken.close(/*Written=*/true);
    Added.close(/*Written=*/true);
  }
}

/// Adds the adjoints at \p Taken to those at \p Added, unless that is null or \p OwnFrom
/// holds, and leaves zero.
void ReverseSweep::moveAdjoints(IRBuilder<> &B, MemIntrinsic &I, Value *Length, Value *Taken,
                                Value *Added, Value *OwnFrom) {
  Module &M = *F.Fn.getParent();
  const DataLayout &DL = M.getDataLayout();
  const ByteRuns &Layout = Plan.Steps.bytesOf(I);
  if (Layout.hasWords())
    return moveWords(B, I, Length, Taken, Added, OwnFrom);
  auto clear = [&](Value *Bytes) {
    forRuns(B, Layout, Bytes, ByteRun::Floats,
            [&](const ByteRun &, Value *Offset, Value *Rows, Value *Stride, Value *Size) {
              clearRows(B, B.CreateInBoundsPtrAdd(Taken, Offset), {Rows, Stride, Size});
            });
  };
  if (!Added)
    return clear(Length);
  if (OwnFrom) { // Their derivative ends here.
    clear(zeroWhereOwn(B, B.CreateNot(OwnFrom), Length));
    Length = zeroWhereOwn(B, OwnFrom, Length);
  }
  const Step &Todo = Plan.Steps.at(I);
  SharedSides Shared = {Todo.TakesAtOnce, Todo.Why == StepReason::OtherThreads};
  auto anywhere = [&](Value *Address) { return B.CreateAddrSpaceCast(Address, B.getPtrTy()); };
  if (isa<MemMoveInst>(I) && Layout.Runs.size() > 1 && Layout.has(ByteRun::Floats)) {
    B.CreateCall(moveAdjointRuns(M, Layout, Shared),
                 {anywhere(Taken), anywhere(Added), B.CreateZExtOrTrunc(Length, B.getInt64Ty())});
    return;
  }
  forRuns(B, Layout, Length, ByteRun::Floats,
          [&](const ByteRun &R, Value *Offset, Value *Rows, Value *Stride, Value *Bytes) {
            Value *Count = B.CreateUDiv(Bytes, B.getInt64(DL.getTypeAllocSize(R.Float)));
            B.CreateCall(copyAdjoint(M, R.Float, Shared, isa<MemMoveInst>(I)),
                         {anywhere(B.CreateInBoundsPtrAdd(Taken, Offset)),
                          anywhere(B.CreateInBoundsPtrAdd(Added, Offset)), Rows, Stride, Count});
          });
}

/// The same where words tell what they are. What is added nowhere goes to scratch memory.
void ReverseSweep::moveWords(IRBuilder<> &B, MemIntrinsic &I, Value *Length, Value *Taken,
                             Value *Added, Value *OwnFrom) {
  const ByteRuns &Layout = Plan.Steps.bytesOf(I);
  Value *Nowhere = F.zeroBlock(B, Layout.Period);
  Value *To = !Added ? Nowhere : OwnFrom ? B.CreateSelect(OwnFrom, Nowhere, Added) : Added;
  B.CreateCall(moveAdjointRuns(*F.Fn.getParent(), Layout, {}),
               {Taken, To, B.CreateZExtOrTrunc(Length, B.getInt64Ty())});
}

void ReverseSweep::visitMemSet(MemSetInst &I, Site &S) {
  Value *Dest = I.getRawDest();
  Value *Length = isa<Constant>(I.getLength()) ? I.getLength() : primal(I.getLength(), S);
  Lanes To = shadow(Dest, S);
  ShadowReach Reach = Plan.Steps.at(I).Shadow;
  bool Paged = Reach == ShadowReach::Paged;
  Value *Primal = Paged ? primal(Dest, S) : nullptr;
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    Value *Own = isOwn(Dest, Reach, Lane, S);
    IRBuilder<> B(S.At);
    locate(B, &I);
    Value *Bytes = zeroWhereOwn(B, Own, Length);
    ShadowBlock Taken(B, Paged, Primal, To[Lane], Bytes, {Lane, Plan.Request.Level});
    moveAdjoints(B, I, Bytes, Taken.memory(), nullptr, nullptr);
    Taken.close(/*Written=*/true);
  }
}

/// The forward sweep has left out this release, for the reverse sweep still uses
/// the memory. It is put on a list, for the end of the outermost reverse sweep.
void ReverseSweep::putOffRelease(CallBase &I, Site &S) {
  if (F.KeepTape)
    return;
  Value *Freed = freedPointer(I, P.libraryInfo());
  SmallVector<Value *, 3> Operands;
  for (Value *Operand : I.args())
    Operands.push_back(isa<Constant>(Operand) ? Operand : primal(Operand, S));
  Lanes Shadows;
  if (!Plan.Steps.at(I).OnTape)
    Shadows = shadow(Freed, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  createReleaseLater(B, I, Freed, Operands, Shadows);
}

void ReverseSweep::releaseShadow(CallBase &I, Site &S) {
  if (F.KeepTape)
    return;
  Lanes Shadows = shadow(&I, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  for (Value *Shadow : Shadows) {
    if (Plan.Steps.at(I).OnTape)
      releaseTape(B, Shadow, Plan.Tape.memory());
    else
      B.CreateCall(shadowRelease(I), Shadow);
  }
}

void ReverseSweep::releaseAlloca(AllocaInst &I, Site &S) {
  if (F.KeepTape)
    return;
  for (Part Which : {Part::Primal, Part::Shadow}) {
    const LocalBlock::Member *Place = Plan.Locals.find(&I, Which);
    if (!Plan.onHeap(&I, Which) || (Place && Place != Plan.Locals.members().begin()))
      continue;
    Lanes Pointers = lookup({&I, Which}, S);
    IRBuilder<> B(S.At);
    for (Value *Pointer : ArrayRef(Pointers).take_front(Place ? 1 : Pointers.size()))
      releaseTape(B, Pointer, memoryOfLocal(I, Plan.Tape.memory()));
  }
}

} // namespace isozyme
