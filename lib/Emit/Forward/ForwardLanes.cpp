//===- ForwardLanes.cpp - Tangents of all lanes in one vector -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the loops that LaneVectors names, the tangents of a value are one vector, and
// so are those of what is computed from it:
//
//   %y.tans = fmul <4 x double> %x.tans, %splat.of.w
//
// The scalars are extracted behind each, for users elsewhere; most have none.
//
// What such a loop reads of a copy of shadow memory (LaneCopies) is a vector, too.
//
//===----------------------------------------------------------------------===//
#include "ForwardEmission.h"
#include "isozyme/Emit/RuntimeHelpers.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace isozyme {

Value *ForwardEmission::packed(Value *V) {
  if (Value *Vector = Packed.lookup(V))
    return Vector;
  Value *Vector = PoisonValue::get(FixedVectorType::get(V->getType(), R.Width));
  for (unsigned Lane = 0; Lane < R.Width; ++Lane)
    Vector = B.CreateInsertElement(Vector, tangent(V, Lane), Lane);
  return Vector;
}

void ForwardEmission::setPacked(Instruction &I, Value *Vector) {
  Packed[&I] = Vector;
  if (auto *New = dyn_cast<Instruction>(Vector); New && !New->hasName() && I.hasName())
    New->setName(I.getName() + ".tans");
  forEachLane(I, [&](unsigned Lane) { return B.CreateExtractElement(Vector, Lane); });
}

void ForwardEmission::startPackedPhi(PHINode &I) {
  PHINode *New = B.CreatePHI(FixedVectorType::get(I.getType(), R.Width), I.getNumIncomingValues());
  if (isa<FPMathOperator>(I))
    New->copyFastMathFlags(&I);
  B.SetInsertPoint(New->getParent(), New->getParent()->getFirstNonPHIIt());
  setPacked(I, New);
}

void ForwardEmission::finishPackedPhi(PHINode &I) {
  auto *Phi = cast<PHINode>(Packed.lookup(&I));
  for (unsigned K = 0; K < I.getNumIncomingValues(); ++K) {
    BasicBlock *From = I.getIncomingBlock(K);
    auto *Clone = cast<BasicBlock>(primal(From));
    B.SetInsertPoint(Clone->getTerminator());
    Phi->addIncoming(Visited.contains(From) ? packed(I.getIncomingValue(K))
                                            : PoisonValue::get(Phi->getType()),
                     Clone);
  }
}

void ForwardEmission::emitPackedSelect(SelectInst &I) {
  Value *New =
      B.CreateSelect(primal(I.getCondition()), packed(I.getTrueValue()), packed(I.getFalseValue()));
  if (auto *Select = dyn_cast<SelectInst>(New); Select && isa<FPMathOperator>(I))
    Select->copyFastMathFlags(&I);
  setPacked(I, New);
}

void ForwardEmission::copyLanes(const Instruction &I) {
  for (const LaneCopy &Copy : Plan.Vectors.copies().all()) {
    if (Copy.Where->getLoopPreheader() != I.getParent())
      continue;
    const uint64_t Row = R.Width * P.function().getDataLayout().getTypeStoreSize(Copy.Element);
    BasicBlock &Entry = Shell.getEntryBlock();
    IRBuilder<> Start(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
    AllocaInst *To = Start.CreateAlloca(ArrayType::get(Copy.Element, Copy.Count * R.Width), nullptr,
                                        Copy.Memory->getName() + ".lanes");
    To->setAlignment(alignOfLanes(Row));
    LaneCopiesAt[&Copy] = To;
    SmallVector<Value *, 8> Operands{To, B.getInt64(Copy.Count)};
    for (unsigned Lane = 0; Lane < R.Width; ++Lane)
      Operands.push_back(tangent(const_cast<AllocaInst *>(Copy.Memory), Lane));
    B.CreateCall(laneCopier(*Shell.getParent(), Copy.Element, R.Width), Operands);
  }
}

/// A distance of k bytes in the variable is one of k times the width in the copy.
Value *ForwardEmission::inCopy(Value *Ptr, const LaneCopy &Copy, Value *Start) {
  if (Ptr == Copy.Memory)
    return Start;
  auto *Gep = cast<GEPOperator>(Ptr);
  const DataLayout &DL = P.function().getDataLayout();
  const unsigned Bits = DL.getIndexTypeSizeInBits(Gep->getType());
  SmallMapVector<Value *, APInt, 4> Factors;
  APInt Constant(Bits, 0);
  if (!Gep->collectOffset(DL, Bits, Factors, Constant)) {
    fail("no way is known to find an element in the copy of a shadow");
    return Start;
  }
  Value *At = inCopy(Gep->getPointerOperand(), Copy, Start);
  for (auto &[Index, Factor] : Factors) {
    Value *Wide = B.CreateSExtOrTrunc(primal(Index), B.getIntNTy(Bits));
    At = B.CreatePtrAdd(At, B.CreateMul(Wide, B.getInt(Factor * R.Width)));
  }
  return Constant.isZero() ? At : B.CreatePtrAdd(At, B.getInt(Constant * R.Width));
}

void ForwardEmission::loadPacked(LoadInst &I, const LaneCopy &Copy) {
  AllocaInst *From = LaneCopiesAt.lookup(&Copy);
  if (!From)
    return fail("the copy of a shadow is read before it is made");
  Value *At = inCopy(I.getPointerOperand(), Copy, From);
  setPacked(I,
            B.CreateAlignedLoad(FixedVectorType::get(I.getType(), R.Width), At, From->getAlign()));
}

} // namespace isozyme
