//===- ReverseInstructions.cpp - The adjoint of one instruction -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = f(x):  take y's adjoint, add its share to the adjoint of each active
// operand. Elementwise operations ask the rule table; the others here are linear
// and written as their transpose.
//
//===----------------------------------------------------------------------===//
#include "Runtime/OwnShadow.h"
#include "Runtime/WatchCalls.h"
#include "Sweeps.h"
#include "isozyme/Emit/AtomicAdd.h"
#include "isozyme/Emit/HandBack.h"
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Ops/Exchange.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Rules/PartialNeeds.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Values/ShadowAlignment.h"

using namespace llvm;

namespace isozyme {

void ReverseSweep::visit(Instruction &I, Site &S) {
  switch (Plan.Steps.at(I).Adjoint) {
  case AdjointStep::Nothing:
  case AdjointStep::HandOn: // Where the block is left.
    return;
  case AdjointStep::Seed:
    return visitReturn(cast<ReturnInst>(I), S);
  case AdjointStep::Rule:
    return visitElementwise(I, S);
  case AdjointStep::Pass:
    return visitMove(I, S);
  case AdjointStep::Choose:
    return visitSelect(cast<SelectInst>(I), S);
  case AdjointStep::PutBack:
    return visitPart(I, S);
  case AdjointStep::Load:
    return visitLoad(cast<LoadInst>(I), S);
  case AdjointStep::Store:
    visitStore(cast<StoreInst>(I), S);
    return putBack(cast<StoreInst>(I), S);
  case AdjointStep::Atomic:
    return visitAtomic(cast<AtomicRMWInst>(I), S);
  case AdjointStep::Extremum:
    return visitExtremum(cast<AtomicRMWInst>(I), S);
  case AdjointStep::MaskedLoad:
  case AdjointStep::MaskedStore:
    return visitMasked(cast<IntrinsicInst>(I), *maskedAccess(I), S);
  case AdjointStep::Copy:
    return visitCopy(cast<MemTransferInst>(I), S);
  case AdjointStep::Clear:
    return visitMemSet(cast<MemSetInst>(I), S);
  case AdjointStep::Call:
    return callFromTape(cast<CallBase>(I), Plan.Calls.find(cast<CallBase>(&I))->second, S);
  case AdjointStep::HandBack:
    return visitExchange(cast<CallInst>(I), S);
  case AdjointStep::Wait:
    return visitMeeting(I, S);
  case AdjointStep::Release:
    return putOffRelease(cast<CallBase>(I), S);
  case AdjointStep::ReleaseLocal:
    return releaseAlloca(cast<AllocaInst>(I), S);
  case AdjointStep::ReleaseShadow:
    return releaseShadow(cast<CallBase>(I), S);
  }
}

/// The number of the pass through the loops around \p I, for machines on which those of a warp meet
/// without saying whom they expect; null where all are in the same anyway.
Value *ReverseSweep::iterationOf(Instruction &I, Site &S) {
  Value *Pass = nullptr;
  for (Loop *L = P.loops().getLoopFor(I.getParent()); L; L = L->getParentLoop()) {
    const CanonicalLoop &C = P.canonical(L);
    if (isa_and_nonnull<Constant>(C.LastIV))
      continue;
    Value *Counter = primal(C.IV, S);
    constexpr uint64_t Factor = 0x9e3779b97f4a7c15; // An odd factor tells passes apart.
    IRBuilder<> B(S.At);
    Pass = Pass ? B.CreateAdd(B.CreateMul(Pass, B.getInt64(Factor)), Counter) : Counter;
  }
  return Pass;
}

/// Each thread of the warp gets the adjoints of those that it has handed its value to.
void ReverseSweep::visitExchange(CallInst &I, Site &S) {
  SmallVector<Value *, 4> Others;
  for (Value *Operand : drop_begin(I.args()))
    Others.push_back(isa<Constant>(Operand) ? Operand : primal(Operand, S));
  Value *Pass = iterationOf(I, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  if (Pass)
    meetInPass(B, exchangedBy(I), Pass);
  Lanes Back;
  for (Value *D : Adjoints.take(B, &I))
    Back.push_back(handBack(B, exchangedBy(I), D, Others));
  Adjoints.add(B, I.getArgOperand(0), Back);
}

/// Where the forward sweep releases memory to other threads, the reverse sweep acquires it.
void ReverseSweep::visitMeeting(Instruction &I, Site &S) {
  SmallVector<Value *, 2> Operands;
  if (auto *Call = dyn_cast<CallBase>(&I))
    for (Value *Operand : Call->args())
      Operands.push_back(isa<Constant>(Operand) ? Operand : primal(Operand, S));
  IRBuilder<> B(S.At);
  locate(B, &I);
  Instruction *New = I.clone();
  if (auto *Fence = dyn_cast<FenceInst>(New)) {
    if (Fence->getOrdering() == AtomicOrdering::Release)
      Fence->setOrdering(AtomicOrdering::Acquire);
    else if (Fence->getOrdering() == AtomicOrdering::Acquire)
      Fence->setOrdering(AtomicOrdering::Release);
  }
  for (auto [Number, Operand] : enumerate(Operands))
    New->setOperand(unsigned(Number), Operand);
  B.Insert(New);
}

void ReverseSweep::visitReturn(ReturnInst &I, Site &S) {
  IRBuilder<> B(S.At);
  Adjoints.add(B, I.getReturnValue(), splitLanes(B, F.Seed, F.Width));
}

void ReverseSweep::accumulate(IRBuilder<> &B, Value *Address, Value *D, const LoadInst &I) {
  Align A = shadowAlignment(I);
  LoadInst *Old = B.CreateAlignedLoad(D->getType(), Address, A, I.isVolatile());
  F.Scopes.shadow(Old, I);
  F.Scopes.shadow(B.CreateAlignedStore(addDerivatives(B, Old, D), Address, A, I.isVolatile()), I);
}

Value *ReverseSweep::isOwn(Value *Ptr, ShadowReach Reach, unsigned Lane, Site &S) {
  if (!isCompared(Reach))
    return nullptr;
  Value *Shadow = shadow(Ptr, S)[Lane], *Primal = primal(Ptr, S);
  IRBuilder<> B(S.At);
  return B.CreateICmpEQ(Shadow, Primal);
}

Value *ReverseSweep::address(IRBuilder<> &B, Value *Own, Value *Shadow, Type *T) {
  if (!Own)
    return Shadow;
  return B.CreateSelect(Own, B.CreateAddrSpaceCast(F.scratch(T), Shadow->getType()), Shadow);
}

std::pair<Lanes, Lanes> ReverseSweep::places(Value *Ptr, Type *T, ShadowReach Reach, Site &S) {
  Lanes At = shadow(Ptr, S), Own(F.Width, nullptr);
  bool Paged = Reach == ShadowReach::Paged;
  if (!Paged && !isCompared(Reach))
    return {At, Own};
  Value *Primal = primal(Ptr, S);
  for (unsigned Lane = 0; Lane < F.Width; ++Lane) {
    IRBuilder<> B(S.At);
    if (Paged) {
      At[Lane] = pagedShadow(B, Primal, At[Lane], {Lane, Plan.Request.Level});
      continue;
    }
    Own[Lane] = isOwn(Ptr, Reach, Lane, S);
    At[Lane] = address(B, Own[Lane], At[Lane], T);
  }
  return {At, Own};
}

/// The ordering of an access that reads and writes.
static AtomicOrdering orderingOf(AtomicOrdering Primal) {
  return Primal == AtomicOrdering::Unordered ? AtomicOrdering::Monotonic : Primal;
}

void ReverseSweep::visitLoad(LoadInst &I, Site &S) {
  const Step &Todo = Plan.Steps.at(I);
  if (const CarriedSum *Sum = Plan.Carried.find(I))
    return visitCarried(*Sum, I, S);
  auto [At, Own] = places(I.getPointerOperand(), Todo.Moved, Todo.Shadow, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  unsigned Lane = 0;
  for (auto [Address, D] : zip_equal(At, Adjoints.take(B, &I))) {
    if (Todo.Why == StepReason::OtherThreads)
      addAtomically(B, Address, D, Todo.Sum == AdjointSum::PerWarp);
    else if (Todo.Sum == AdjointSum::Atomic)
      B.CreateAtomicRMW(AtomicRMWInst::FAdd, Address, D, I.getAlign(), orderingOf(I.getOrdering()),
                        I.getSyncScopeID());
    else
      accumulate(B, Address, D, I);
    watch(I, Address, D, Lane++, S);
  }
}

void ReverseSweep::watch(Instruction &I, Value *Address, Value *Added, unsigned Lane, Site &S) {
  const WatchedPlace *Place = Plan.Watches.access(&I);
  if (!Place)
    return;
  Value *Base = shadow(Place->Base, S)[Lane];
  IRBuilder<> B(S.At);
  locate(B, &I);
  Value *Now = B.CreateLoad(Added->getType(), Address);
  emitWatch(B, {*Place, P, Address, Base, Added, Now, Lane, F.Width});
}

void ReverseSweep::visitStore(StoreInst &I, Site &S) {
  const Step &Todo = Plan.Steps.at(I);
  Type *T = Todo.Moved;
  auto [At, Own] = places(I.getPointerOperand(), T, Todo.Shadow, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes D;
  for (auto [Address, IsOwn] : zip_equal(At, Own)) {
    if (Todo.Why == StepReason::SameStore) {
      D.push_back(zeroWhereOwn(B, IsOwn, takeAtomically(B, Address, T)));
      continue;
    }
    if (Todo.Sum == AdjointSum::Atomic) {
      Value *Adjoint =
          B.CreateAtomicRMW(AtomicRMWInst::Xchg, Address, Constant::getNullValue(T), I.getAlign(),
                            orderingOf(I.getOrdering()), I.getSyncScopeID());
      D.push_back(zeroWhereOwn(B, IsOwn, Adjoint));
      continue;
    }
    LoadInst *Adjoint = B.CreateAlignedLoad(T, Address, shadowAlignment(I), I.isVolatile());
    F.Scopes.shadow(Adjoint, I);
    D.push_back(zeroWhereOwn(B, IsOwn, Adjoint));
    F.Scopes.shadow(B.CreateAlignedStore(Constant::getNullValue(T), Address, shadowAlignment(I),
                                         I.isVolatile()),
                    I);
  }
  Adjoints.add(B, I.getValueOperand(), D);
}

/// What the store has overwritten, where others read it again.
void ReverseSweep::putBack(StoreInst &I, Site &S) {
  Need N{&I, Part::Overwritten};
  if (!Plan.decisionFor(N))
    return;
  Value *Before = lookup(N, S)[0], *At = primal(I.getPointerOperand(), S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  F.Scopes.primal(B.CreateAlignedStore(Before, At, I.getAlign()));
}

/// *p += x:  the adjoint of *p stays, and x receives it; a subtraction negates. The old
/// value, where it is used, was *p too: its adjoint comes to that of *p.
void ReverseSweep::visitAtomic(AtomicRMWInst &I, Site &S) {
  const Step &Todo = Plan.Steps.at(I);
  auto [At, Own] = places(I.getPointerOperand(), Todo.Moved, Todo.Shadow, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes Old(F.Width, nullptr), D;
  if (Adjoints.carries(&I))
    Old = Adjoints.take(B, &I);
  for (auto [Address, IsOwn, OfOld] : zip_equal(At, Own, Old)) {
    Value *A;
    if (OfOld) {
      A = B.CreateAtomicRMW(AtomicRMWInst::FAdd, Address, OfOld, I.getAlign(), I.getOrdering(),
                            I.getSyncScopeID());
    } else {
      LoadInst *Load = B.CreateAlignedLoad(I.getType(), Address, I.getAlign());
      Load->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
      A = Load;
    }
    A = zeroWhereOwn(B, IsOwn, A);
    D.push_back(Todo.Negated ? B.CreateFNeg(A) : A);
  }
  Adjoints.add(B, I.getValOperand(), D);
}

/// *p = max(*p, x), of all threads that come here: where x is what stands there in the end, it
/// receives the adjoint of *p. Of several threads with this x the first one finds it.
void ReverseSweep::visitExtremum(AtomicRMWInst &I, Site &S) {
  const Step &Todo = Plan.Steps.at(I);
  auto [At, Own] = places(I.getPointerOperand(), Todo.Moved, Todo.Shadow, S);
  Value *X = I.getValOperand(), *Ptr = primal(I.getPointerOperand(), S);
  if (!isa<Constant>(X))
    X = primal(X, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  LoadInst *Result = B.CreateAlignedLoad(I.getType(), Ptr, I.getAlign());
  Result->setAtomic(AtomicOrdering::Monotonic, I.getSyncScopeID());
  Value *Stands =
      I.getType()->isFloatingPointTy() ? B.CreateFCmpOEQ(X, Result) : B.CreateICmpEQ(X, Result);
  Lanes D;
  for (auto [Address, IsOwn] : zip_equal(At, Own))
    D.push_back(zeroWhereOwn(B, IsOwn, takeAtomicallyWhere(B, Stands, Address, Todo.Moved)));
  Adjoints.add(B, I.getValOperand(), D);
}

void ReverseSweep::visitElementwise(Instruction &I, Site &S) {
  const Step &Todo = Plan.Steps.at(I);
  OpView V = viewOf(I, P.libraryInfo());
  Lanes Incoming;
  {
    IRBuilder<> B(S.At);
    locate(B, &I);
    Incoming = Adjoints.take(B, &I);
    if (Todo.Shadow != ShadowReach::None)
      for (Value *Address : places(V.WritesZeroTo, V.WrittenType, Todo.Shadow, S).first)
        IRBuilder<>(S.At).CreateStore(Constant::getNullValue(V.WrittenType), Address);
  }
  for (unsigned Wrt = 0; Wrt < V.Operands.size(); ++Wrt) {
    Value *Operand = V.Operands[Wrt];
    if (!hasPartial(V, Wrt) || !Adjoints.carries(Operand))
      continue;
    IRBuilder<> B(S.At);
    locate(B, &I);
    auto Lookup = [&](unsigned Number) -> Value * {
      Value *Read = Number == ResultValue ? &I : V.Operands[Number];
      return isa<Constant>(Read) ? Read : primal(Read, S);
    };
    auto Computed = [&](RuleCall Call) -> Value * {
      Instruction *By = Plan.Steps.computedFor(I, Call);
      return By ? primal(By, S) : nullptr;
    };
    Lanes D = emitPartial(B, I, V, Wrt, Incoming, RuleMode::Reverse, Lookup, Computed,
                          Todo.Guards & (1u << Wrt));
    Adjoints.add(B, Operand, D);
  }
}

void ReverseSweep::visitPart(Instruction &I, Site &S) {
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return visitShuffle(*Shuffle, S);
  if (isa<ExtractValueInst, InsertValueInst>(I))
    return visitAggregate(I, S);
  visitVector(I, S);
}

/// freeze, bitcast: the adjoint passes as it is.
void ReverseSweep::visitMove(Instruction &I, Site &S) {
  IRBuilder<> B(S.At);
  locate(B, &I);
  Adjoints.add(B, I.getOperand(0), Adjoints.take(B, &I));
}

/// The adjoint of \p I in the type of \p I: integers that carry floats are moved about
/// bit by bit, and so are their adjoints.
Lanes ReverseSweep::takeAsMoved(IRBuilder<> &B, Instruction &I) {
  Lanes Result;
  for (Value *D : Adjoints.take(B, &I))
    Result.push_back(D->getType() == I.getType() ? D : B.CreateBitCast(D, I.getType()));
  return Result;
}

void ReverseSweep::visitSelect(SelectInst &I, Site &S) {
  const ChosenIteration *Chosen = Plan.Chosen.of(&I);
  if (Value *Known = Chosen ? Chosen->alternative(I) : nullptr) {
    IRBuilder<> B(S.At);
    locate(B, &I);
    Adjoints.add(B, Known, takeAsMoved(B, I));
    return;
  }
  Value *Condition = I.getCondition();
  if (!isa<Constant>(Condition))
    Condition = primal(Condition, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes True, False;
  for (Value *D : takeAsMoved(B, I)) {
    Value *Zero = Constant::getNullValue(D->getType());
    True.push_back(B.CreateSelect(Condition, D, Zero));
    False.push_back(B.CreateSelect(Condition, Zero, D));
  }
  Adjoints.add(B, I.getTrueValue(), True);
  Adjoints.add(B, I.getFalseValue(), False);
}

void ReverseSweep::visitVector(Instruction &I, Site &S) {
  Value *Index = nullptr;
  if (!isa<IntrinsicInst>(I)) {
    Index = isa<ExtractElementInst>(I) ? I.getOperand(1) : I.getOperand(2);
    if (!isa<Constant>(Index))
      Index = primal(Index, S);
  }
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes First, Second;
  for (Value *D : takeAsMoved(B, I)) {
    Type *VectorType_ = I.getOperand(0)->getType();
    if (isa<ExtractElementInst>(I)) {
      First.push_back(B.CreateInsertElement(Constant::getNullValue(VectorType_), D, Index));
    } else if (isa<InsertElementInst>(I)) {
      Value *Zero = Constant::getNullValue(I.getOperand(1)->getType());
      First.push_back(B.CreateInsertElement(D, Zero, Index));
      Second.push_back(B.CreateExtractElement(D, Index));
    } else { // vector.reduce.fadd(start, v)
      auto *T = cast<FixedVectorType>(I.getOperand(1)->getType());
      First.push_back(D);
      Second.push_back(B.CreateVectorSplat(T->getNumElements(), D));
    }
  }
  Adjoints.add(B, I.getOperand(0), First);
  if (!Second.empty())
    Adjoints.add(B, I.getOperand(1), Second);
}

/// A + C, where they may be integers that carry one or more of \p Float.
static Value *addAs(IRBuilder<> &B, Type *Float, Value *A, Value *C) {
  Type *T = A->getType();
  if (!T->isIntegerTy())
    return addDerivatives(B, A, C);
  unsigned Count = T->getPrimitiveSizeInBits() / Float->getPrimitiveSizeInBits();
  Type *As = FixedVectorType::get(Float, Count);
  return B.CreateBitCast(addDerivatives(B, B.CreateBitCast(A, As), B.CreateBitCast(C, As)), T);
}

/// Each result lane goes back to the lane it was taken from.
void ReverseSweep::visitShuffle(ShuffleVectorInst &I, Site &S) {
  IRBuilder<> B(S.At);
  locate(B, &I);
  int Count = cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements();
  Type *T = I.getOperand(0)->getType();
  Lanes First, Second;
  Type *Float = Plan.Steps.of(&I).Adjoint->getScalarType();
  for (Value *D : takeAsMoved(B, I)) {
    Value *To[2] = {Constant::getNullValue(T), Constant::getNullValue(T)};
    SmallVector<bool, 16> Seen(2 * Count, false);
    for (auto [Lane, From] : enumerate(I.getShuffleMask())) {
      if (From < 0)
        continue;
      Value *&Sum = To[From / Count];
      Value *Element = B.CreateExtractElement(D, Lane);
      if (Seen[From])
        Element = addAs(B, Float, B.CreateExtractElement(Sum, From % Count), Element);
      Seen[From] = true;
      Sum = B.CreateInsertElement(Sum, Element, From % Count);
    }
    First.push_back(To[0]);
    Second.push_back(To[1]);
  }
  Adjoints.add(B, I.getOperand(0), First);
  Adjoints.add(B, I.getOperand(1), Second);
}

void ReverseSweep::visitAggregate(Instruction &I, Site &S) {
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes Whole, Member;
  for (Value *D : Adjoints.take(B, &I)) {
    if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
      Value *Zero = Constant::getNullValue(I.getOperand(0)->getType());
      Whole.push_back(B.CreateInsertValue(Zero, D, Extract->getIndices()));
      continue;
    }
    auto &Insert = cast<InsertValueInst>(I);
    Value *Zero = Constant::getNullValue(I.getOperand(1)->getType());
    Whole.push_back(B.CreateInsertValue(D, Zero, Insert.getIndices()));
    Member.push_back(B.CreateExtractValue(D, Insert.getIndices()));
  }
  Adjoints.add(B, I.getOperand(0), Whole);
  if (!Member.empty())
    Adjoints.add(B, I.getOperand(1), Member);
}

} // namespace isozyme
