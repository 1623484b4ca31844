//===- MovedAddresses.cpp - Integers that are addresses -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: types of a prepared function.  Out: the stores of integers that hold addresses,
// where these are unchanged copies, and the loads, phis, selects and freezes that they
// come by: what is stored has a shadow to be stored too, and only pointers have one.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Types/TypeAnalysis.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace isozyme;

/// Adds what \p V is a copy of, up to the loads; false if it is not only addresses that
/// are copied, unchanged.
static bool collectCopies(const Value *V, const TypeResult &Types,
                          SmallSetVector<const Instruction *, 8> &Copies) {
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

SmallVector<unsigned, 0> isozyme::movedAddresses(const PreparedFunction &P,
                                                 const TypeResult &Types) {
  SmallSetVector<const Instruction *, 8> Moves;
  const DataLayout &DL = P.function().getDataLayout();
  for (const Instruction &I : instructions(P.function())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !Store->isSimple() || isa<Constant>(Store->getValueOperand()) ||
        !Store->getValueOperand()->getType()->isIntegerTy(DL.getPointerSizeInBits()) ||
        Types.typeOfStored(*Store).kind() != ConcreteType::Pointer)
      continue;
    SmallSetVector<const Instruction *, 8> Copies;
    if (!collectCopies(Store->getValueOperand(), Types, Copies))
      continue;
    Moves.insert(Store);
    Moves.insert_range(Copies);
  }
  SmallVector<unsigned, 0> Numbers;
  for (const Instruction *I : Moves)
    Numbers.push_back(P.numberOf(I));
  return Numbers;
}
