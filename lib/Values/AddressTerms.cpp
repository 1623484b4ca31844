//===- AddressTerms.cpp - An address as a sum -----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/AddressTerms.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// An index that is itself a multiple of another, or so much more.
static void addTerm(AddressTerms &Sum, Value *Index, APInt Scale) {
  const APInt *C;
  Value *Of;
  while (Index->getType()->getIntegerBitWidth() == Scale.getBitWidth()) {
    if (match(Index, m_Shl(m_Value(Of), m_APInt(C))) && C->ult(Scale.getBitWidth()))
      Scale <<= *C;
    else if (match(Index, m_Mul(m_Value(Of), m_APInt(C))))
      Scale *= *C;
    else if (match(Index, m_Add(m_Value(Of), m_APInt(C))))
      Sum.Offset = int64_t(uint64_t(Sum.Offset) + (Scale * *C).getZExtValue());
    else
      break;
    auto *Known = dyn_cast<OverflowingBinaryOperator>(Index);
    Sum.MayWrap |= !Known || !(Known->hasNoSignedWrap() || Known->hasNoUnsignedWrap());
    Index = Of;
  }
  Sum.Terms.push_back({Index, Scale.getSExtValue()});
}

std::optional<AddressTerms> addressTerms(Value *Ptr, const DataLayout &DL) {
  AddressTerms Sum;
  for (; auto *GEP = dyn_cast<GEPOperator>(Ptr); Ptr = GEP->getPointerOperand()) {
    unsigned Bits = DL.getIndexTypeSizeInBits(GEP->getType());
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(Bits, 0);
    if (!GEP->collectOffset(DL, Bits, Variable, Constant))
      return std::nullopt;
    Sum.Offset = int64_t(uint64_t(Sum.Offset) + Constant.getZExtValue());
    Sum.MayWrap |= !Variable.empty() && !GEP->hasNoUnsignedSignedWrap();
    for (auto &[Index, Scale] : Variable)
      addTerm(Sum, Index, Scale);
  }
  Sum.Base = Ptr;
  return Sum;
}

int64_t AddressTerms::stride() const {
  int64_t Stride = 0;
  for (const Term &T : Terms)
    Stride = std::gcd(Stride, T.Scale);
  return Stride;
}

} // namespace isozyme
