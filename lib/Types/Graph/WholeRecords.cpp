//===- WholeRecords.cpp - Records that are loaded or stored as one value --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %r = load { i32, ptr, ptr }, ptr %tape      a callee may do so: a prepared
//   %p = extractvalue { i32, ptr, ptr } %r, 1   function accesses one by one
//
// A record in registers has one target for all of its pointers. Where it is only
// put together to be stored, or loaded to be taken apart, its parts are treated as
// loads and stores of their own, so that they stay different memory.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace isozyme;

/// Links of a chain of insertvalues that are looked at.
static constexpr unsigned MaxParts = 1024;

/// Offset of element \p Index of \p T, which becomes the type of the element.
static uint64_t stepInto(Type *&T, unsigned Index, const DataLayout &DL) {
  if (auto *ST = dyn_cast<StructType>(T)) {
    T = ST->getElementType(Index);
    return DL.getStructLayout(ST)->getElementOffset(Index);
  }
  T = T->getArrayElementType();
  return Index * DL.getTypeAllocSize(T);
}

bool isozyme::isTakenApart(const Value &V) {
  return isa<LoadInst>(V) && V.getType()->isAggregateType() && all_of(V.users(), [](const User *U) {
           return isa<ExtractValueInst>(U) && !U->getType()->isAggregateType();
         });
}

std::optional<PartOfRecord> isozyme::partOfLoad(const Instruction &I, const DataLayout &DL) {
  auto *Part = dyn_cast<ExtractValueInst>(&I);
  auto *Load = Part ? dyn_cast<LoadInst>(Part->getAggregateOperand()) : nullptr;
  if (!Load || I.getType()->isAggregateType())
    return std::nullopt;
  Type *T = Load->getType();
  uint64_t Offset = 0;
  for (unsigned Index : Part->indices())
    Offset += stepInto(T, Index, DL);
  return PartOfRecord{Load->getPointerOperand(), &I, Offset};
}

bool isozyme::isOnlyStored(const Instruction &I) {
  const Value *V = &I;
  for (unsigned K = 0; K != MaxParts && isa<InsertValueInst>(V) && V->hasOneUse(); ++K) {
    const Use &U = *V->use_begin();
    if (U.getOperandNo() == 0 && isa<StoreInst>(U.getUser()))
      return true;
    if (U.getOperandNo() != InsertValueInst::getAggregateOperandIndex())
      return false;
    V = U.getUser();
  }
  return false;
}

SmallVector<PartOfRecord, 8> isozyme::partsOfStore(const StoreInst &S, const DataLayout &DL) {
  SmallVector<PartOfRecord, 8> Parts;
  const Value *V = S.getValueOperand();
  SmallDenseSet<uint64_t, 16> Seen; // What is inserted later counts.
  for (unsigned K = 0; K != MaxParts && isa<InsertValueInst>(V) && V->hasOneUse(); ++K) {
    auto *Insert = cast<InsertValueInst>(V);
    Type *T = Insert->getType();
    uint64_t Offset = 0;
    for (unsigned Index : Insert->indices())
      Offset += stepInto(T, Index, DL);
    if (T->isAggregateType() || Seen.insert(Offset).second)
      Parts.push_back({S.getPointerOperand(), Insert->getInsertedValueOperand(), Offset});
    V = Insert->getAggregateOperand();
  }
  if (!Parts.empty() && !isa<UndefValue>(V))
    Parts.push_back({S.getPointerOperand(), V, 0});
  return Parts;
}
