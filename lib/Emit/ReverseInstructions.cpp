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
#include "Sweeps.h"
#include "isozyme/Emit/RuleInterpreter.h"
#include "isozyme/Needs/AdjointType.h"

using namespace llvm;

namespace isozyme {

void ReverseSweep::visit(Instruction &I, Site &S) {
  if (isa<PHINode>(I) || !hasReverseAction(Plan.facts(), I))
    return; // Phis are handled where the block is left.
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto It = Plan.Calls.find(Call);
    if (It != Plan.Calls.end() && It->second.K != CallPlan::ByRule &&
        It->second.K != CallPlan::Structural)
      return visitCall(*Call, It->second, S);
  }
  switch (I.getOpcode()) {
  case Instruction::Load:
    return visitLoad(cast<LoadInst>(I), S);
  case Instruction::Store:
    return visitStore(cast<StoreInst>(I), S);
  case Instruction::AtomicRMW:
    return visitAtomic(cast<AtomicRMWInst>(I), S);
  case Instruction::Alloca:
    return releaseAlloca(cast<AllocaInst>(I), S);
  case Instruction::Ret:
    return visitReturn(cast<ReturnInst>(I), S);
  default:
    break;
  }
  OpView V = viewOf(I, P.libraryInfo());
  if (V.Class == OpClass::Elementwise)
    return visitElementwise(I, V, S);
  visitStructural(I, S);
}

void ReverseSweep::visitReturn(ReturnInst &I, Site &S) {
  IRBuilder<> B(S.At);
  Adjoints.add(B, I.getReturnValue(), splitLanes(B, F.Seed, F.Width));
}

void ReverseSweep::accumulate(IRBuilder<> &B, Value *Address, Value *D, Align A, bool Volatile) {
  Value *Old = B.CreateAlignedLoad(D->getType(), Address, A, Volatile);
  B.CreateAlignedStore(addDerivatives(B, Old, D), Address, A, Volatile);
}

void ReverseSweep::visitLoad(LoadInst &I, Site &S) {
  Lanes At = shadow(I.getPointerOperand(), S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  for (auto [Address, D] : zip_equal(At, Adjoints.take(B, &I)))
    accumulate(B, Address, D, I.getAlign(), I.isVolatile());
}

void ReverseSweep::visitStore(StoreInst &I, Site &S) {
  Lanes At = shadow(I.getPointerOperand(), S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Type *T = storedAdjointType(I, Plan.Types);
  Lanes D;
  for (Value *Address : At) {
    D.push_back(B.CreateAlignedLoad(T, Address, I.getAlign(), I.isVolatile()));
    B.CreateAlignedStore(Constant::getNullValue(T), Address, I.getAlign(), I.isVolatile());
  }
  Adjoints.add(B, I.getValueOperand(), D);
}

/// *p += x:  the adjoint of *p stays, and x receives it; a subtraction negates.
void ReverseSweep::visitAtomic(AtomicRMWInst &I, Site &S) {
  Lanes At = shadow(I.getPointerOperand(), S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes D;
  for (Value *Address : At) {
    Value *A = B.CreateAlignedLoad(I.getType(), Address, I.getAlign());
    D.push_back(I.getOperation() == AtomicRMWInst::FSub ? B.CreateFNeg(A) : A);
  }
  Adjoints.add(B, I.getValOperand(), D);
}

void ReverseSweep::visitElementwise(Instruction &I, const OpView &V, Site &S) {
  Lanes Incoming;
  {
    IRBuilder<> B(S.At);
    locate(B, &I);
    Incoming = Adjoints.take(B, &I);
    if (V.WritesZeroTo && Plan.Activity.isActiveValue(V.WritesZeroTo))
      for (Value *Address : shadow(V.WritesZeroTo, S))
        IRBuilder<>(S.At).CreateStore(Constant::getNullValue(V.WrittenType), Address);
  }
  for (unsigned Wrt = 0; Wrt < V.Operands.size(); ++Wrt) {
    Value *Operand = V.Operands[Wrt];
    if (!hasPartial(V, Wrt) || !Adjoints.carries(Operand))
      continue;
    IRBuilder<> B(S.At);
    locate(B, &I);
    Lanes D = emitPartial(B, I, V, Wrt, Incoming, [&](unsigned Number) -> Value * {
      Value *Read = Number == ResultValue ? &I : V.Operands[Number];
      return isa<Constant>(Read) ? Read : primal(Read, S);
    });
    Adjoints.add(B, Operand, D);
  }
}

void ReverseSweep::visitStructural(Instruction &I, Site &S) {
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return visitSelect(*Select, S);
  if (isa<ExtractElementInst, InsertElementInst, IntrinsicInst>(I))
    return visitVector(I, S);
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return visitShuffle(*Shuffle, S);
  if (isa<ExtractValueInst, InsertValueInst>(I))
    return visitAggregate(I, S);
  // freeze, bitcast: the adjoint passes as it is.
  IRBuilder<> B(S.At);
  locate(B, &I);
  Adjoints.add(B, I.getOperand(0), Adjoints.take(B, &I));
}

void ReverseSweep::visitSelect(SelectInst &I, Site &S) {
  Value *Condition = I.getCondition();
  if (!isa<Constant>(Condition))
    Condition = primal(Condition, S);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes True, False;
  for (Value *D : Adjoints.take(B, &I)) {
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
  for (Value *D : Adjoints.take(B, &I)) {
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

/// Each result lane goes back to the lane it was taken from.
void ReverseSweep::visitShuffle(ShuffleVectorInst &I, Site &S) {
  IRBuilder<> B(S.At);
  locate(B, &I);
  int Count = cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements();
  Type *T = I.getOperand(0)->getType();
  Lanes First, Second;
  for (Value *D : Adjoints.take(B, &I)) {
    Value *To[2] = {Constant::getNullValue(T), Constant::getNullValue(T)};
    SmallVector<bool, 16> Seen(2 * Count, false);
    for (auto [Lane, From] : enumerate(I.getShuffleMask())) {
      if (From < 0)
        continue;
      Value *&Sum = To[From / Count];
      Value *Element = B.CreateExtractElement(D, Lane);
      if (Seen[From])
        Element = addDerivatives(B, B.CreateExtractElement(Sum, From % Count), Element);
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
