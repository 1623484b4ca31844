//===- PointersForFloats.cpp - Pointers that may be floats ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pointers are that are only moved: memory has to tell. Where it does not, they
// are what they look like, which yields to floats that callers know of.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Values/PointerMoves.h"

using namespace llvm;
using namespace isozyme;

void GraphBuilder::findMovedPointers() {
  for (const Function *F : Component)
    if (!isMadeByIsozyme(*F)) // There it has been seen which pointers are floats.
      MovedPointers.insert_range(movedPointers(*F));
}

bool GraphBuilder::isMoved(const Value *V) const {
  return V->getType()->isIntOrIntVectorTy() || MovedPointers.contains(V);
}

/// Is a float accessed at the very place that is declared for an address?
bool GraphBuilder::holdsBoth(const PendingAccess &A) const {
  PointerTarget Place = G.normal(A.Place);
  const MemoryNode &N = G.node(Place.Node);
  auto It = N.Facts.find(keyOfFact(Place, A.Size, FactRank::Access));
  return !N.Skewed && It != N.Facts.end() && !It->second.isKnown();
}

/// Is what is at \p Place loaded or stored by a type that it need not have?
bool GraphBuilder::isMovedAt(PointerTarget Place, uint64_t Size) const {
  return any_of(IntegerAccesses, [&](const PendingAccess &A) {
    return A.Value && A.Size == Size && A.Place.isValid() && G.normal(A.Place) == G.normal(Place);
  });
}

/// Where it is seen nowhere what the places hold that pointers are moved between, they are
/// pointers. Where a float may be in one of the two, it is not known, unless the other is known
/// for addresses.
void GraphBuilder::settlePointerMoves() {
  if (MovedPointers.empty())
    return;
  for (const PendingAccess &A : IntegerAccesses)
    if (A.Value && MovedPointers.contains(A.Value)) {
      using Place = ScalarTypes::Place;
      bool ForAddresses = (A.SaysPointer && (A.SaysPointee || !holdsBoth(A))) ||
                          G.provenTypeAt(A.Place, A.Size).kind() == ConcreteType::Pointer;
      Place Known = ForAddresses                    ? Place::Addresses
                    : G.mayBeFloat(A.Place, A.Size) ? Place::MaybeFloats
                                                    : Place::Unknown;
      S.Scalars.addPointerMove(A.Value, Known, A.Load, A.Store);
    }
  solveFacts(Trusted::All);
}

bool GraphBuilder::guessesForeignPointers() const {
  return any_of(IntegerAccesses, [&](const PendingAccess &A) {
    return A.Value && A.Place.isValid() && !G.node(A.Place.Node).Private &&
           S.Scalars.isPointerByLook(A.Value);
  });
}
