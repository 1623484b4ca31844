//===- MistypedMoves.cpp - Moves by the wrong type ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: types of a prepared function.  Out: the stores of integers that hold addresses,
// where these are unchanged copies, and the loads, phis, selects and freezes that they
// come by: what is stored has a shadow to be stored too, and only pointers have one. And
// the same of pointers that are floats, or may be: only numbers have adjoints. And the loads
// of floats, as integers, with whose bits something is computed (the optimiser drops a float
// of which nothing but the bits is read): Prepare knows derivatives of functions of bits.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Types/TypeAnalysis.h"
#include "isozyme/Values/Origins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace isozyme;

using MoveSet = SmallSetVector<const Instruction *, 8>;

/// Adds what the integer \p V is a copy of, up to the loads; false if it is not only addresses
/// that are copied, unchanged.
static bool collectCopies(const Value *V, const TypeResult &Types, MoveSet &Copies) {
  if (auto *C = dyn_cast<Constant>(V))
    return C->isNullValue();
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Types.typeOf(V).kind() != ConcreteType::Pointer)
    return false;
  if (isa<PtrToIntInst>(I))
    return true;
  if (Copies.contains(I))
    return true;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->isSimple() && Copies.insert(I);
  if (!isChoice(*I))
    return false;
  Copies.insert(I);
  return all_of(choicesOf(I), [&](const Value *One) { return collectCopies(One, Types, Copies); });
}

/// Is an integer stored that is an address? Its copies are added to \p Moves.
static bool storesAddress(const StoreInst &Store, const TypeResult &Types, MoveSet &Moves) {
  unsigned Bits = Store.getDataLayout().getPointerSizeInBits();
  if (!Store.isSimple() || !Store.getValueOperand()->getType()->isIntegerTy(Bits) ||
      Types.typeOfStored(Store).kind() != ConcreteType::Pointer)
    return false;
  MoveSet Copies;
  if (!collectCopies(Store.getValueOperand(), Types, Copies))
    return false;
  Moves.insert_range(Copies);
  return true;
}

/// Is the integer that \p I loads a float, with whose bits something is computed? Its type.
static Type *floatComputedWith(const Instruction &I, const TypeResult &Types) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || !Load->isSimple() || !Load->getType()->isIntegerTy())
    return nullptr;
  Type *Float = Types.typeOf(Load).floatType();
  bool AsWide = Float && (Float->isDoubleTy() || Float->isFloatTy()) &&
                Load->getType()->isIntegerTy(Float->getPrimitiveSizeInBits());
  return AsWide && any_of(Load->users(), [](const User *U) { return isa<BinaryOperator>(U); })
             ? Float
             : nullptr;
}

SmallVector<MistypedMove, 0> isozyme::mistypedMoves(const PreparedFunction &P,
                                                    const TypeResult &Types) {
  MoveSet Moves;
  SmallVector<MistypedMove, 0> Found;
  for (const Instruction &I : instructions(P.function())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    const Value *Moved = Store ? Store->getValueOperand() : &I;
    if (Type *Float = floatComputedWith(I, Types))
      Found.push_back({P.numberOf(&I), Float});
    bool HasForm = isa<StoreInst, LoadInst, PHINode, SelectInst, FreezeInst>(I);
    if (isa<Constant>(Moved) || !HasForm)
      continue;
    if (Types.isPointerForFloat(*Moved) || (Store && storesAddress(*Store, Types, Moves)))
      Moves.insert(&I);
  }
  for (const Instruction *I : Moves)
    Found.push_back({P.numberOf(I)});
  return Found;
}
