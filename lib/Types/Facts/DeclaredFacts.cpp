//===- DeclaredFacts.cpp - What declarations say about bytes --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of allocas, of global variables and of the records that address computations
// name say what should be in memory. What is accessed there counts for more.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "llvm/IR/GlobalVariable.h"

using namespace llvm;
using namespace isozyme;

/// Is member \p K of \p ST one of at most three bytes, beside which there are no others? An empty
/// class is one, and single characters are. But for a half, to which integers yield, no float can
/// lie there.
static bool isOfFewBytes(const StructType &ST, unsigned K, const StructLayout &Layout) {
  constexpr unsigned MaxBytes = 3;
  auto isByte = [&](unsigned Member) { return ST.getElementType(Member)->isIntegerTy(8); };
  auto isPadded = [&](unsigned Member) { // Or the last one.
    return Member + 1 == ST.getNumElements() ||
           Layout.getElementOffset(Member + 1) > Layout.getElementOffset(Member) + 1;
  };
  if (!isByte(K))
    return false;
  unsigned First = K, Last = K;
  while (First > 0 && isByte(First - 1) && !isPadded(First - 1))
    --First;
  while (!isPadded(Last) && isByte(Last + 1))
    ++Last;
  return Last - First < MaxBytes && (First == 0 || !ST.getElementType(First - 1)->isArrayTy()) &&
         (isPadded(Last) || !ST.getElementType(Last + 1)->isArrayTy());
}

void GraphBuilder::declaredFacts(Type *T, PointerTarget Place, bool Named, unsigned &Budget,
                                 bool InUnion) {
  if (!Budget)
    return;
  if (auto *ST = dyn_cast<StructType>(T)) {
    if (!ST->isSized())
      return;
    const StructLayout *Layout = DL.getStructLayout(ST);
    Named |= ST->hasName();
    InUnion |= isUnion(*ST);
    uint64_t End = 0;
    for (unsigned K = 0; K != ST->getNumElements(); ++K) {
      uint64_t At = Layout->getElementOffset(K);
      if (At > End && Named)
        G.addFact(Place.plus(End), At - End, ConcreteType::Anything, FactRank::Declared);
      if (Named && !InUnion && BytesInSource && BytesInSource->isFilling(*ST, K, DL))
        G.addFact(Place.plus(At), DL.getTypeStoreSize(ST->getElementType(K)), ConcreteType::Integer,
                  FactRank::Stated);
      else if (Named && !InUnion && isOfFewBytes(*ST, K, *Layout))
        G.addFact(Place.plus(At), 1, ConcreteType::Integer, FactRank::Stated);
      declaredFacts(ST->getElementType(K), Place.plus(At), Named, Budget, InUnion);
      End = At + DL.getTypeStoreSize(ST->getElementType(K));
    }
    uint64_t Size = Layout->getSizeInBytes();
    if (Size > End && Named)
      G.addFact(Place.plus(End), Size - End, ConcreteType::Anything, FactRank::Declared);
    return;
  }
  if (isa<ArrayType>(T) || isa<FixedVectorType>(T)) {
    Type *E = T->getContainedType(0);
    uint64_t Count =
        isa<ArrayType>(T) ? T->getArrayNumElements() : cast<FixedVectorType>(T)->getNumElements();
    uint64_t Size = DL.getTypeAllocSize(E);
    if (Count > Budget) {
      Budget = std::min(Budget, DeclaredBudget);
      declaredFacts(E, Place.plus(0, Size), Named, Budget, InUnion);
    } else if (!E->isIntegerTy(8)) { // Bytes are what has no type.
      for (uint64_t K = 0; K != Count; ++K)
        declaredFacts(E, Place.plus(K * Size), Named, Budget, InUnion);
    }
    return;
  }
  --Budget;
  if (T->isFloatingPointTy())
    G.addFact(Place, floatSize(T, DL), ConcreteType::ofFloat(T), FactRank::Declared);
  else if (T->isPointerTy())
    G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Pointer,
              InUnion ? FactRank::Treated : FactRank::Declared);
  else if (T->isIntegerTy() && !T->isIntegerTy(8)) // Of a union, other members may be addresses.
    G.addFact(Place, DL.getTypeStoreSize(T), ConcreteType::Integer,
              Named && !InUnion ? FactRank::Declared : FactRank::Shape);
}

void GraphBuilder::initializerFacts() {
  for (auto &[GV, Node] : S.Globals) {
    unsigned Budget = DeclaredBudget;
    declaredFacts(GV->getValueType(), G.startOf(GV, Node), GV->isConstant(), Budget);
  }
}
