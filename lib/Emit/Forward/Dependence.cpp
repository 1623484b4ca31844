//===- Dependence.cpp - Masks in the place of tangents --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: builder, operation, masks.  Out: masks.
// Never: decides what is active; what a result depends on is in the rule table.
//
//===----------------------------------------------------------------------===//
#include "Dependence.h"
#include "isozyme/Rules/RuleTable.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace isozyme {

/// The integer (vector) of as many bits as a float (vector).
static Type *bitsOf(Type *T) {
  Type *Int = IntegerType::get(T->getContext(), T->getScalarSizeInBits());
  if (auto *Vector = dyn_cast<VectorType>(T))
    return VectorType::get(Int, Vector->getElementCount());
  return Int;
}

static Value *toBits(IRBuilderBase &B, Value *Mask) {
  Type *T = Mask->getType();
  return T->isIntOrIntVectorTy() ? Mask : B.CreateBitCast(Mask, bitsOf(T));
}

Value *uniteMasks(IRBuilderBase &B, Value *L, Value *R) {
  return B.CreateBitCast(B.CreateOr(toBits(B, L), toBits(B, R)), L->getType());
}

/// A wider mask has the same low bits. What has no room, or had none before, is all bits.
static Value *resizeBits(IRBuilderBase &B, Value *Bits, Type *To) {
  unsigned From = Bits->getType()->getScalarSizeInBits(), Wanted = To->getScalarSizeInBits();
  if (From == Wanted)
    return Bits;
  Value *All = Constant::getAllOnesValue(To);
  if (Wanted > From) {
    Value *IsAll = B.CreateICmpEQ(Bits, Constant::getAllOnesValue(Bits->getType()));
    return B.CreateSelect(IsAll, All, B.CreateZExt(Bits, To));
  }
  Value *Lost = B.CreateICmpNE(B.CreateLShr(Bits, Wanted), Constant::getNullValue(Bits->getType()));
  return B.CreateSelect(Lost, All, B.CreateTrunc(Bits, To));
}

Value *convertMask(IRBuilderBase &B, Value *Mask, Type *To) {
  Value *Bits = toBits(B, Mask);
  auto *From = dyn_cast<VectorType>(Bits->getType());
  auto *Vector = dyn_cast<VectorType>(To);
  if (From && !Vector)
    Bits = B.CreateOrReduce(Bits);
  if (!From && Vector)
    Bits = B.CreateVectorSplat(Vector->getElementCount(), Bits);
  return B.CreateBitCast(resizeBits(B, Bits, bitsOf(To)), To);
}

Value *uniteElements(IRBuilderBase &B, Value *Start, Value *Vector) {
  return uniteMasks(B, Start,
                    B.CreateBitCast(B.CreateOrReduce(toBits(B, Vector)), Start->getType()));
}

Value *uniteAtomically(IRBuilderBase &B, const AtomicRMWInst &I, Value *Ptr, Value *Mask) {
  Value *Bits =
      B.CreateBitCast(toBits(B, Mask), B.getIntNTy(Mask->getType()->getPrimitiveSizeInBits()));
  AtomicRMWInst *Before = B.CreateAtomicRMW(AtomicRMWInst::Or, Ptr, Bits, I.getAlign(),
                                            I.getOrdering(), I.getSyncScopeID());
  Before->setVolatile(I.isVolatile());
  return B.CreateBitCast(Before, Mask->getType());
}

SmallVector<Value *, 4> emitDependence(IRBuilderBase &B, const Instruction &I, const OpView &V,
                                       unsigned Wrt, ArrayRef<Value *> Incoming) {
  const Rule *R = ruleOf(V.Id);
  assert(R && Wrt < R->Partials.size() && "the operand has a partial");
  SmallVector<Value *, 4> Masks;
  if (!dependsOnT(R->Partials[Wrt]))
    return Masks;
  for (Value *Mask : Incoming) {
    // Both parts of a complex result depend on both parts of the operand.
    if (isComplexOp(V.Id) && Mask->getType()->isVectorTy())
      Mask = B.CreateBitCast(B.CreateOrReduce(toBits(B, Mask)), Mask->getType()->getScalarType());
    Masks.push_back(convertMask(B, Mask, I.getType()));
  }
  return Masks;
}

} // namespace isozyme
