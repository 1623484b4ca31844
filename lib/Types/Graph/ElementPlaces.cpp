//===- ElementPlaces.cpp - Elements of small arrays in records ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// s->v[j] with `double v[3]` touches three places, not every eighth byte of the
// record around v. Spells such places out where the GEP has the array's type, so
// that the members beside the array keep their own types.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "isozyme/Values/KnownMultiple.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

/// More elements than this are "every so many bytes".
static constexpr uint64_t SmallArray = 64;

/// The two constants that \p Index is one of: the left or the right child of a node of a tree.
static SmallVector<int64_t, 4> constantChoices(const Value &Index) {
  auto *Choice = dyn_cast<SelectInst>(&Index);
  auto *A = Choice ? dyn_cast<ConstantInt>(Choice->getTrueValue()) : nullptr;
  auto *B = Choice ? dyn_cast<ConstantInt>(Choice->getFalseValue()) : nullptr;
  if (!A || !B)
    return {};
  return {A->getSExtValue(), B->getSExtValue()};
}

SmallVector<PointerTarget, 4> isozyme::placesOfElement(const GEPOperator &GEP, PointerTarget Base,
                                                       PointerTarget Whole, const DataLayout &DL) {
  if (!Whole.Stride || !Base.isValid() || isa<VectorType>(GEP.getType()))
    return {Whole};
  SmallVector<PointerTarget, 4> Places = {Base};
  Type *Container = nullptr;
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End; ++It) {
    auto *Array = dyn_cast_or_null<ArrayType>(Container);
    Container = It.getIndexedType();
    uint64_t Size = It.isStruct() ? 0 : It.getSequentialElementStride(DL).getKnownMinValue();
    if (auto *C = dyn_cast<ConstantInt>(It.getOperand())) {
      int64_t Bytes = It.isStruct() ? int64_t(DL.getStructLayout(It.getStructType())
                                                  ->getElementOffset(C->getZExtValue())
                                                  .getFixedValue())
                                    : C->getSExtValue() * int64_t(Size);
      for (PointerTarget &T : Places)
        T = T.plus(Bytes);
      continue;
    }
    uint64_t Count = Array ? Array->getNumElements() : 0;
    SmallVector<int64_t, 4> Indices = constantChoices(*It.getOperand());
    if (Indices.empty() && Count * Places.size() <= SmallArray)
      for (uint64_t K = 0; K != Count; ++K)
        Indices.push_back(K);
    if (Indices.empty()) {
      for (PointerTarget &T : Places)
        T = T.plus(0, Size * distanceMultiple(*It.getOperand(), DL), Whole.Onward);
      continue;
    }
    SmallVector<PointerTarget, 4> Each;
    for (const PointerTarget &T : Places)
      for (int64_t K : Indices)
        Each.push_back(T.plus(K * int64_t(Size)));
    Places = std::move(Each);
  }
  if (Places.size() == 1)
    return {Whole}; // Of which more may be known.
  return Places;
}
