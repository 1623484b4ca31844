//===- CastAddresses.cpp - Addresses where the source says integers -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may keep addresses in integers, and cast them when it needs them:
//
//   long at = (long)p;    move(&to, &at);    *(double *)to
//
// What is cast tells of its place that the name of an integer does not count there, as of a float
// in disguise. Functions that only move it hear of that from their callers.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Values/AddressArithmetic.h"
#include "isozyme/Values/Origins.h"

using namespace llvm;
using namespace isozyme;

/// Does the source say that an integer as large as an address is at \p Place, and not only at one
/// of the places that an index may lead to, or that such a one was copied to?
bool GraphBuilder::isStatedInteger(PointerTarget Place) const {
  Place = G.normal(Place);
  return any_of(G.node(Place.Node).Facts, [&](const auto &Known) {
    auto [Stride, Offset, Size, Rank, Object] = Known.first;
    return Known.second.kind() == ConcreteType::Integer && isStatement(Rank) &&
           Rank != FactRank::Spread &&
           Known.first == keyOfFact({Place.Node, Place.Offset, Place.Stride, Object},
                                    DL.getPointerSize(), Rank);
  });
}

/// Is an integer made of an address here? What has been read, and moved by a constant, may be a
/// count beside addresses.
bool GraphBuilder::isMadeOfAddress(const Value &V) {
  SmallVector<const Value *, 4> Work = {&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (isa<PtrToIntInst>(I))
      return true;
    if (isAddressArithmetic(*I) && targetOf(I).isValid() && !isNumber(*I))
      append_range(Work, I->operand_values());
    else if (isChoice(*I))
      append_range(Work, choicesOf(I));
  }
  return false;
}

/// Is the integer \p V cast to an address, or one at a known distance? What is added to an address
/// need not be one.
static bool isCastToPointer(const Value &V) {
  SmallVector<const Value *, 4> Work = {&V};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (isa_and_nonnull<IntToPtrInst>(I))
        return true;
      bool IsNear = I && isAddressArithmetic(*I) &&
                    (I->getNumOperands() == 1 || isa<Constant>(I->getOperand(1)));
      if (I && (IsNear || isChoice(*I)) && Seen.insert(I).second)
        Work.push_back(I);
    }
  return false;
}

/// Addresses that are kept where the source says integers. They need not be cast where they move.
void GraphBuilder::noteCastAddresses() {
  uint64_t Word = DL.getPointerSize();
  for (PointerTarget Place : UntoldAddresses) // A union's members have no name, either.
    if (isStatedInteger(Place) && !G.mayBeFloat(Place, Word) && !G.mayBeDisguised(Place, Word))
      G.addFact(Place, Word, ConcreteType::Pointer, FactRank::Disguise);
  for (const PendingAccess &A : IntegerAccesses) {
    bool IsNumber =
        A.Named.kind() == ConcreteType::Integer || (FromSource && !HasTags && !A.Named.isKnown());
    if (!IsNumber || !A.Value || A.Size != Word || !A.Place.isValid())
      continue;
    if (!(A.Store && isMadeOfAddress(*A.Value)) && !(A.Load && isCastToPointer(*A.Value)))
      continue;
    PointerTarget Place = A.Place.plus(0, A.Step); // Whichever the counter leads to elsewhere.
    G.addFact(Place, A.Size, ConcreteType::Pointer, FactRank::Access);
    G.addFact(Place, A.Size, ConcreteType::Pointer, FactRank::Disguise);
  }
}
