//===- DeclaredObject.cpp - What the declaration of a variable says -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local or global variable whose type is a record that the source names, or an
// array of such, holds what its declaration says as long as no union is part of
// it; so does a global variable of floats or pointers (passes change the types of
// local ones). Only asked for memory about which the code itself leaves a doubt.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

namespace {

struct DeclaredByte {
  ConcreteType Type;
  unsigned Phase = 0, Of = 1; ///< The byte is number Phase of a scalar of Of bytes.
};

/// Records larger than this are not tabulated byte by byte.
constexpr uint64_t MaxRecord = 1 << 16;

} // namespace

/// Where \p Ptr points in a variable, which becomes \p Variable.
static PointerTarget placeInVariable(const Value *Ptr, const Value *&Variable,
                                     const DataLayout &DL) {
  if (auto *GEP = dyn_cast<GEPOperator>(Ptr))
    return stepBy(*GEP, placeInVariable(GEP->getPointerOperand(), Variable, DL), DL);
  auto *Local = dyn_cast<AllocaInst>(Ptr);
  if ((!Local || Local->isArrayAllocation()) && !isa<GlobalVariable>(Ptr))
    return {};
  Variable = Ptr;
  return {0, 0, 0};
}

/// False for a union: its members are not what its LLVM type says.
static bool tabulate(Type *T, uint64_t At, const DataLayout &DL,
                     MutableArrayRef<DeclaredByte> Bytes) {
  if (auto *ST = dyn_cast<StructType>(T)) {
    if (isUnion(*ST))
      return false;
    const StructLayout *Layout = DL.getStructLayout(ST);
    for (unsigned K = 0; K != ST->getNumElements(); ++K)
      if (!tabulate(ST->getElementType(K), At + Layout->getElementOffset(K), DL, Bytes))
        return false;
    return true;
  }
  if (isa<ArrayType>(T) || isa<FixedVectorType>(T)) {
    Type *E = T->getContainedType(0);
    uint64_t Count =
        isa<ArrayType>(T) ? T->getArrayNumElements() : cast<FixedVectorType>(T)->getNumElements();
    uint64_t Size = DL.getTypeAllocSize(E);
    for (uint64_t K = 0; K != Count; ++K)
      if (!tabulate(E, At + K * Size, DL, Bytes))
        return false;
    return true;
  }
  ConcreteType Type;
  if (T->isFloatingPointTy())
    Type = ConcreteType::ofFloat(T);
  else if (T->isPointerTy())
    Type = ConcreteType::Pointer;
  else if (T->isIntegerTy() && !T->isIntegerTy(8)) // Bytes may be a place for anything.
    Type = ConcreteType::Integer;
  unsigned Size = T->isFloatingPointTy() ? floatSize(T, DL) : DL.getTypeStoreSize(T);
  for (unsigned K = 0; K != Size && At + K < Bytes.size(); ++K)
    Bytes[At + K] = {Type, K, Size};
  return true;
}

/// What the bytes of \p T hold; none if a union is among them.
static std::vector<DeclaredByte> bytesOf(Type *T, const DataLayout &DL) {
  // What no member covers is padding.
  std::vector<DeclaredByte> Bytes(DL.getTypeAllocSize(T), DeclaredByte{ConcreteType::Anything});
  if (!tabulate(T, 0, DL, Bytes))
    Bytes.clear();
  return Bytes;
}

/// What \p Size bytes of records hold, from byte \p Begin of one on.
static std::optional<MemoryLayout> layoutOfBytes(ArrayRef<DeclaredByte> Record, uint64_t Begin,
                                                 uint64_t Size) {
  MemoryLayout L;
  L.Period = Size;
  for (uint64_t K = 0; K != Size; ++K) {
    const DeclaredByte &B = Record[(Begin + K) % Record.size()];
    bool CutAtStart = B.Phase > K, CutAtEnd = B.Of - B.Phase > Size - K;
    if (!B.Type.isKnown() || (B.Type.isFloat() && (CutAtStart || CutAtEnd)))
      return std::nullopt;
    if (!L.Runs.empty() && L.Runs.back().Type == B.Type)
      ++L.Runs.back().Size;
    else
      L.Runs.push_back({K, 1, B.Type});
  }
  return L;
}

std::optional<MemoryLayout> isozyme::declaredLayout(const Value &Ptr, uint64_t Size,
                                                    const DataLayout &DL) {
  const Value *Variable = nullptr;
  PointerTarget Place = placeInVariable(&Ptr, Variable, DL);
  if (!Place.isValid())
    return std::nullopt;
  Type *T = isa<AllocaInst>(Variable) ? cast<AllocaInst>(Variable)->getAllocatedType()
                                      : cast<GlobalVariable>(Variable)->getValueType();
  while (auto *Array = dyn_cast<ArrayType>(T))
    T = Array->getElementType();
  auto *Record = dyn_cast<StructType>(T);
  bool IsNamed = Record && Record->hasName();
  bool IsPlain = isa<GlobalVariable>(Variable) && (T->isFloatingPointTy() || T->isPointerTy());
  if (!(IsNamed || IsPlain) || !T->isSized() || DL.getTypeAllocSize(T).isScalable())
    return std::nullopt;
  uint64_t RecordSize = DL.getTypeAllocSize(T);
  if (!RecordSize || RecordSize > MaxRecord || Size > MaxRecord || Place.Offset < 0 ||
      Place.Stride % RecordSize)
    return std::nullopt;
  std::vector<DeclaredByte> Bytes = bytesOf(T, DL);
  if (Bytes.empty())
    return std::nullopt;
  return layoutOfBytes(Bytes, Place.Offset, Size);
}

std::optional<MemoryLayout> isozyme::recordLayout(StructType &Record, const DataLayout &DL) {
  uint64_t Size = Record.isSized() ? DL.getTypeAllocSize(&Record).getKnownMinValue() : 0;
  if (!Record.hasName() || !Size || Size > MaxRecord)
    return std::nullopt;
  std::vector<DeclaredByte> Bytes = bytesOf(&Record, DL);
  return Bytes.empty() ? std::nullopt : layoutOfBytes(Bytes, 0, Size);
}
