//===- AdjointType.cpp - The type of a value's adjoint --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/AdjointType.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Values/AtomicBits.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace isozyme {

/// \p Int holds the bits of one or more floats of type \p Float.
static Type *floatView(Type *Int, Type *Float) {
  unsigned Bits = Int->getPrimitiveSizeInBits(), Each = Float->getPrimitiveSizeInBits();
  if (Each == 0 || Bits == 0 || Bits % Each)
    return nullptr;
  return Bits == Each ? Float : FixedVectorType::get(Float, Bits / Each);
}

Type *adjointType(const Value *V, const TypeResult &Types) {
  Type *T = V->getType();
  if (isFloatLike(T))
    return T;
  if (!T->isIntOrIntVectorTy() || isa<Constant>(V))
    return nullptr;
  ConcreteType C = Types.typeOf(V);
  return C.isFloat() ? floatView(T, C.floatType()) : nullptr;
}

/// A constant that fills several members at once: floats of one type, and bytes that are no part
/// of a float or an address. Where a float is, its adjoint ends; nobody reads the other bytes of
/// the shadow, or they hold an integer 0.
static Type *floatAmongOthers(const StoreInst &S, const ConstantInt &C, const TypeResult &Types) {
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(C.getType());
  Type *Float = nullptr;
  for (const TypedRun &R : Types.layoutOf(S.getPointerOperand(), Bytes).Runs) {
    if (R.Type.isFloat() && (!Float || Float == R.Type.floatType()))
      Float = R.Type.floatType();
    else if (R.Type.isFloat() || R.Type.kind() == ConcreteType::Pointer || !C.isZero())
      return nullptr;
  }
  return Float ? floatView(C.getType(), Float) : nullptr;
}

Type *storedAdjointType(const StoreInst &S, const TypeResult &Types) {
  const Value *V = S.getValueOperand();
  if (Type *T = adjointType(V, Types))
    return T;
  Type *T = V->getType();
  if (!T->isIntOrIntVectorTy())
    return nullptr;
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(T);
  ConcreteType C = Types.typeOfStored(S);
  if (C.isFloat())
    return floatView(T, C.floatType());
  // A constant too small for an address, in a place of unknown type: if that is
  // a float, its adjoint ends here; if not, nobody reads the shadow bytes.
  if (!C.isKnown() && isa<ConstantInt>(V) && Bytes == 4)
    return Type::getFloatTy(T->getContext());
  auto *Constant = dyn_cast<ConstantInt>(V);
  return Constant ? floatAmongOthers(S, *Constant, Types) : nullptr;
}

Type *maskedAdjointType(const Instruction &I, const TypeResult &Types) {
  std::optional<MaskedAccess> Access = maskedAccess(I);
  const Value *Moved = Access->IsLoad ? &I : Access->Data;
  auto *Mask = dyn_cast<FixedVectorType>(Access->Mask->getType());
  auto *T = dyn_cast_or_null<FixedVectorType>(adjointType(Moved, Types));
  return T && Mask && T->getNumElements() == Mask->getNumElements() ? T : nullptr;
}

bool worksOnInteger(const Instruction &Atomic, const TypeResult &Types) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&Atomic);
  const Value *V = RMW ? RMW->getValOperand() : cast<AtomicCmpXchgInst>(Atomic).getNewValOperand();
  if (!V->getType()->isIntegerTy())
    return false;
  // Arithmetic is done on numbers, and no float is as short as a byte. But the bits of floats
  // have their order.
  constexpr unsigned ShortestFloat = 16;
  if ((RMW && !mayMoveFloatBits(*RMW)) || V->getType()->getIntegerBitWidth() < ShortestFloat)
    return true;
  if (!isa<Constant>(V) && Types.typeOf(V).kind() == ConcreteType::Integer)
    return true;
  uint64_t Bytes = Atomic.getDataLayout().getTypeStoreSize(V->getType());
  return Types.layoutOf(Atomic.getOperand(0), Bytes).uniform().kind() == ConcreteType::Integer;
}

bool storesNullPointer(const StoreInst &S, const TypeResult &Types) {
  auto *C = dyn_cast<Constant>(S.getValueOperand());
  if (!C || !C->isNullValue() || !C->getType()->isIntOrIntVectorTy())
    return false;
  return Types.typeOfStored(S).kind() == ConcreteType::Pointer;
}

} // namespace isozyme
