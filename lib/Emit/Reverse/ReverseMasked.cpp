//===- ReverseMasked.cpp - The adjoint of loads and stores under a mask ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load adds to shadow memory under the same mask; the lanes outside the mask hand
// their adjoint to what stood in for them. A store takes from shadow memory under the
// mask, and leaves zero there.
//
//   %y = masked.load(%p, %m, %else)      ->  *p.shadow += m ? y.adj : 0
//                                            else.adj  += m ? 0 : y.adj
//
// The lanes of a gather or scatter may have the same address: one after the other,
// and those of a scatter from the last, whose store stayed, to the first.
//
//===----------------------------------------------------------------------===//
#include "Sweeps.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Access to shadow memory, shaped as the primal's.
class ShadowAccess {
public:
  ShadowAccess(IRBuilder<> &B, const IntrinsicInst &I, MaskedAccess::Shape Where, Value *Address,
               Value *Mask)
      : B(B), Where(Where), Address(Address), Mask(Mask),
        Alignment(I.getParamAlign(maskedAccess(I)->IsLoad ? 0 : 1)) {}

  /// The floats under the mask, zero elsewhere.
  Value *load(Type *T) const {
    Value *Zero = Constant::getNullValue(T);
    if (Where == MaskedAccess::Packed)
      return B.CreateMaskedExpandLoad(T, Address, Alignment, Mask, Zero);
    return B.CreateMaskedLoad(T, Address, Alignment.valueOrOne(), Mask, Zero);
  }
  void store(Value *V) const {
    if (Where == MaskedAccess::Packed)
      B.CreateMaskedCompressStore(V, Address, Alignment, Mask);
    else
      B.CreateMaskedStore(V, Address, Alignment.valueOrOne(), Mask);
  }
  /// The access of one lane, as one of a vector of one.
  ShadowAccess lane(unsigned Number) const {
    ShadowAccess One = *this;
    Value *Bit = B.CreateExtractElement(Mask, Number);
    auto *T = FixedVectorType::get(B.getInt1Ty(), 1);
    One.Where = MaskedAccess::Whole;
    One.Address = B.CreateExtractElement(Address, Number);
    One.Mask = B.CreateInsertElement(PoisonValue::get(T), Bit, uint64_t(0));
    return One;
  }

  /// Shadow memory += D.
  void add(Value *D) const {
    if (Where != MaskedAccess::PerLane)
      return store(addDerivatives(B, load(D->getType()), D));
    auto *T = cast<FixedVectorType>(D->getType());
    auto *OneType = FixedVectorType::get(T->getElementType(), 1);
    for (unsigned Number = 0; Number < T->getNumElements(); ++Number) {
      Value *Part = B.CreateExtractElement(D, Number);
      lane(Number).add(B.CreateInsertElement(PoisonValue::get(OneType), Part, uint64_t(0)));
    }
  }
  /// What shadow memory held, where zero is left.
  Value *take(FixedVectorType *T) const {
    if (Where != MaskedAccess::PerLane) {
      Value *D = load(T);
      store(Constant::getNullValue(T));
      return D;
    }
    Value *D = Constant::getNullValue(T);
    auto *OneType = FixedVectorType::get(T->getElementType(), 1);
    for (unsigned Number = T->getNumElements(); Number-- > 0;)
      D = B.CreateInsertElement(D, B.CreateExtractElement(lane(Number).take(OneType), uint64_t(0)),
                                Number);
    return D;
  }

private:
  IRBuilder<> &B;
  MaskedAccess::Shape Where;
  Value *Address, *Mask;
  MaybeAlign Alignment;
};

} // namespace

/// Without the lanes whose shadow is the memory itself, which has none.
static Value *maskWithout(IRBuilder<> &B, Value *Mask, Value *Own) {
  if (!Own)
    return Mask;
  if (Own->getType()->isVectorTy())
    return B.CreateAnd(Mask, B.CreateNot(Own));
  return B.CreateSelect(Own, Constant::getNullValue(Mask->getType()), Mask);
}

void ReverseSweep::visitMasked(IntrinsicInst &I, const MaskedAccess &Access, Site &S) {
  Value *Mask = isa<Constant>(Access.Mask) ? Access.Mask : primal(Access.Mask, S);
  Lanes At = shadow(Access.Address, S), Own;
  for (unsigned Lane = 0; Lane < F.Width; ++Lane)
    Own.push_back(isOwn(Access.Address, Plan.Steps.at(I).Shadow, Lane, S));
  auto *T = cast<FixedVectorType>(Plan.Steps.at(I).Moved);
  IRBuilder<> B(S.At);
  locate(B, &I);
  Lanes ToData;
  Lanes Incoming = Access.IsLoad ? Adjoints.take(B, &I) : Lanes(F.Width, nullptr);
  for (auto [Address, IsOwn, D] : zip_equal(At, Own, Incoming)) {
    ShadowAccess Shadow(B, I, Access.Where, Address, maskWithout(B, Mask, IsOwn));
    if (!Access.IsLoad) {
      ToData.push_back(Shadow.take(T));
      continue;
    }
    D = D->getType() == T ? D : B.CreateBitCast(D, T);
    Shadow.add(D);
    ToData.push_back(B.CreateSelect(Mask, Constant::getNullValue(T), D));
  }
  Adjoints.add(B, Access.Data, ToData);
}

} // namespace isozyme
