//===- MistypedMoves.cpp - Moves by the wrong type ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: types of a prepared function.  Out: the stores of integers that hold addresses,
// where these are unchanged copies, and the loads, phis, selects and freezes that they
// come by: what is stored has a shadow to be stored too, and only pointers have one. And
// the same of pointers that are floats, or may be: only numbers have adjoints.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Types/TypeAnalysis.h"
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
  if (!isa<PHINode, SelectInst, FreezeInst>(I))
    return false;
  Copies.insert(I);
  return all_of(drop_begin(I->operands(), isa<SelectInst>(I)),
                [&](const Use &U) { return collectCopies(U.get(), Types, Copies); });
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

SmallVector<unsigned, 0> isozyme::mistypedMoves(const PreparedFunction &P,
                                                const TypeResult &Types) {
  MoveSet Moves;
  for (const Instruction &I : instructions(P.function())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    const Value *Moved = Store ? Store->getValueOperand() : &I;
    bool HasForm = isa<StoreInst, LoadInst, PHINode, SelectInst, FreezeInst>(I);
    if (isa<Constant>(Moved) || !HasForm)
      continue;
    if (Types.isPointerForFloat(*Moved) || (Store && storesAddress(*Store, Types, Moves)))
      Moves.insert(&I);
  }
  SmallVector<unsigned, 0> Numbers;
  for (const Instruction *I : Moves)
    Numbers.push_back(P.numberOf(I));
  return Numbers;
}
