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
  Classes[X].Memory = Classes[X].Memory.join(E.Memory);
  Classes[X].Pointer |= E.Pointer;
  Classes[X].Integer |= E.Integer;
  Classes[X].Treated |= E.Treated;
}

void ScalarTypes::addEvidence(const Value *V, ConcreteType T) {
  if (isa<Constant>(V))
    return;
  Evidence &E = Classes[classOf(V)];
  if (T.isFloat())
    E.Float = E.Float.join(T);
  E.Pointer |= T.kind() == ConcreteType::Pointer;
  E.Integer |= T.kind() == ConcreteType::Integer;
}

void ScalarTypes::addTreatment(const Value *V) {
  if (isa<Constant>(V))
    return;
  Evidence &E = Classes[classOf(V)];
  if (E.Treated || E.Integer)
    return;
  // What memory says now was known before anything was taken for an integer.
  (E.Memory.kind() == ConcreteType::Integer ? E.Integer : E.Treated) = true;
}

bool ScalarTypes::isOnlyTreated(const Value *V) const {
  auto It = Index.find(V);
  if (It == Index.end() || typeOf(V).kind() != ConcreteType::Integer)
    return false;
  const Evidence &E = Classes[find(It->second)];
  return E.Treated && !E.Integer;
}

bool ScalarTypes::addMemoryType(const Value *V, ConcreteType T) {
  if (isa<Constant>(V) || !T.isKnown())
    return false;
  Evidence &E = Classes[classOf(V)];
  ConcreteType Joined = E.Memory.join(T);
  bool Changed = Joined != E.Memory;
  E.Memory = Joined;
  return Changed;
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
  if (E.Integer || E.Treated)
    return ConcreteType::Integer;
  return E.Memory == ConcreteType::Anything ? ConcreteType::Unknown : E.Memory;
}
