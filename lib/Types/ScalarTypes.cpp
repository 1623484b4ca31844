//===- ScalarTypes.cpp - What integers really hold ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarTypes.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace isozyme;

unsigned ScalarTypes::classOf(const Value *V) {
  auto [It, New] = Index.try_emplace(V, Parents.size());
  if (New) {
    Parents.push_back(It->second);
    Classes.emplace_back();
    Sizes.push_back(1);
  }
  return find(It->second);
}

unsigned ScalarTypes::find(unsigned C) const {
  while (Parents[C] != C)
    C = Parents[C];
  return C;
}

void ScalarTypes::addCopy(const Value *A, const Value *B) {
  if (isa<Constant>(A) || isa<Constant>(B))
    return; // The constant 0 may be of several types: it connects nothing.
  unsigned X = classOf(A), Y = classOf(B);
  if (X == Y)
    return;
  if (Sizes[X] < Sizes[Y])
    std::swap(X, Y);
  Sizes[X] += Sizes[Y];
  Evidence E = Classes[Y];
  Parents[Y] = X;
  Classes[X].Float = Classes[X].Float.join(E.Float);
  joinMemory(Classes[X], E.Memory);
  Classes[X].FloatAndOther |= E.FloatAndOther;
  Classes[X].Pointer |= E.Pointer;
  Classes[X].Integer |= E.Integer;
  Classes[X].Treated |= E.Treated;
  Classes[X].InPadding |= E.InPadding;
  Classes[X].Elsewhere |= E.Elsewhere;
  Classes[X].InFloats |= E.InFloats;
  Classes[X].Used |= E.Used;
  Classes[X].FloatSource |= E.FloatSource;
  Classes[X].InBoth |= E.InBoth;
  Classes[X].PartOfFloat |= E.PartOfFloat;
  Classes[X].PointerMove |= E.PointerMove;
  Classes[X].AmongFloats |= E.AmongFloats;
  Classes[X].FromAny |= E.FromAny;
  Classes[X].ToAny |= E.ToAny;
  Classes[X].Read |= E.Read;
  Classes[X].InTurn |= E.InTurn;
  Classes[X].Written |= E.Written;
}

void ScalarTypes::addEvidence(const Value *V, ConcreteType T, bool ByUse) {
  if (isa<Constant>(V))
    return;
  Evidence &E = Classes[classOf(V)];
  if (T.isFloat())
    E.Float = E.Float.join(T);
  E.Pointer |= T.kind() == ConcreteType::Pointer;
  E.Integer |= T.kind() == ConcreteType::Integer;
  E.Used |= ByUse && T.kind() == ConcreteType::Integer;
}

void ScalarTypes::addTreatment(const Value *V) {
  if (isa<Constant>(V))
    return;
  Classes[classOf(V)].Treated = true;
}

void ScalarTypes::addPlace(const Value *V, bool InPadding) {
  Evidence &E = Classes[classOf(V)];
  (InPadding ? E.InPadding : E.Elsewhere) = true;
}

void ScalarTypes::addPlaceOfFloats(const Value *V) { Classes[classOf(V)].InFloats = true; }

void ScalarTypes::addMove(const Value *V, bool Read, bool Written, bool AmongFloats) {
  Evidence &E = Classes[classOf(V)];
  E.Read |= Read;
  E.Written |= Written;
  E.InTurn |= AmongFloats;
}

void ScalarTypes::addPointerMove(const Value *V, Place Known, bool From, bool To) {
  Evidence &E = Classes[classOf(V)];
  E.PointerMove = true;
  E.AmongFloats |= Known == Place::MaybeFloats;
  E.FromAny |= From && Known != Place::Addresses;
  E.ToAny |= To && Known != Place::Addresses;
  E.FloatAndOther |= E.isMaybeFloat();
}

bool ScalarTypes::isPointerMove(const Value *V) const {
  auto It = Index.find(V);
  return It != Index.end() && Classes[find(It->second)].PointerMove;
}

bool ScalarTypes::isPointerByLook(const Value *V) const {
  auto It = Index.find(V);
  if (It == Index.end())
    return false;
  const Evidence &E = Classes[find(It->second)];
  return E.PointerMove && E.Memory == ConcreteType::Anything && !E.isMaybeFloat();
}

void ScalarTypes::addPlaceOfBoth(const Value *V) {
  if (!isa<Constant>(V))
    Classes[classOf(V)].InBoth = true;
}

bool ScalarTypes::addPartOfFloat(const Value *V) {
  Evidence &E = Classes[classOf(V)];
  return !E.Used && !std::exchange(E.PartOfFloat, true);
}

bool ScalarTypes::isPartOfFloat(const Value *V) const {
  auto It = Index.find(V);
  if (It == Index.end())
    return false;
  const Evidence &E = Classes[find(It->second)];
  return E.PartOfFloat && !E.Used;
}

void ScalarTypes::settleIntegers() {
  for (Evidence &E : Classes)
    E.Integer |= E.Memory.kind() == ConcreteType::Integer;
}

bool ScalarTypes::yieldsToFloats(const Value *V) const {
  auto It = Index.find(V);
  if (It == Index.end() || typeOf(V).kind() != ConcreteType::Integer)
    return false;
  return !Classes[find(It->second)].Integer;
}

void ScalarTypes::addFloatSource(const Value *V) {
  if (!isa<Constant>(V))
    Classes[classOf(V)].FloatSource = true;
}

bool ScalarTypes::isFromFloat(const Value *V) const {
  auto It = Index.find(V);
  if (It == Index.end())
    return false;
  const Evidence &E = Classes[find(It->second)];
  return E.FloatSource || E.Float != ConcreteType::Anything;
}

bool ScalarTypes::isUsedAsInteger(const Value *V) const {
  auto It = Index.find(V);
  return It != Index.end() && Classes[find(It->second)].Used;
}

bool ScalarTypes::areCopies(const Value *A, const Value *B) const {
  auto X = Index.find(A), Y = Index.find(B);
  return A == B || (X != Index.end() && Y != Index.end() && find(X->second) == find(Y->second));
}

bool ScalarTypes::addMemoryType(const Value *V, ConcreteType T) {
  if (isa<Constant>(V) || !T.isKnown())
    return false;
  Evidence &E = Classes[classOf(V)];
  ConcreteType Before = E.Memory;
  joinMemory(E, T);
  return E.Memory != Before;
}

void ScalarTypes::joinMemory(Evidence &E, ConcreteType T) {
  ConcreteType Joined = E.Memory.join(T);
  E.FloatAndOther |=
      E.Memory.isKnown() && T.isKnown() && !Joined.isKnown() && E.Memory.isFloat() != T.isFloat();
  E.Memory = Joined;
}

bool ScalarTypes::isFloatAndOther(const Value *V) const {
  auto It = Index.find(V);
  return It != Index.end() && !typeOf(V).isKnown() && Classes[find(It->second)].FloatAndOther;
}

bool ScalarTypes::isMovedInTurn(const Value *V) const {
  auto It = Index.find(V);
  if (It == Index.end())
    return false;
  const Evidence &E = Classes[find(It->second)];
  return (E.Used || E.Pointer) && E.isMovedInTurn();
}

ConcreteType ScalarTypes::typeOf(const Value *V) const {
  if (isa<Constant>(V))
    return ConcreteType::Anything;
  auto It = Index.find(V);
  if (It == Index.end())
    return ConcreteType::Unknown;
  const Evidence &E = Classes[find(It->second)];
  if (E.Float != ConcreteType::Anything)
    return E.Float;
  if (E.Pointer)
    return ConcreteType::Pointer;
  if (E.Used && E.isMovedInTurn())
    return ConcreteType::Unknown;
  if (E.PartOfFloat && !E.Used) // Whatever else is where it comes from or goes to.
    return ConcreteType::Unknown;
  if (E.Used || (!E.InFloats && !E.FloatSource && (E.Integer || E.Treated)))
    return ConcreteType::Integer;
  if (E.isMaybeFloat() && !E.Memory.isFloat())
    return ConcreteType::Unknown;
  if (E.InBoth && E.Memory.isFloat())
    return ConcreteType::Unknown;
  if (E.Memory != ConcreteType::Anything)
    return E.Memory;
  if (E.PointerMove)
    return ConcreteType::Pointer;
  return E.InPadding && !E.Elsewhere ? ConcreteType::Integer : ConcreteType::Unknown;
}
