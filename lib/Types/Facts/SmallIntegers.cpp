//===- SmallIntegers.cpp - Integers in the place of a larger float --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A std::variant<double, int, ...> and a std::any hold an int where a double is at other
// times. Who computes with the bits of a double by 32-bit integers reads both halves; so
// what the source names an integer is one, if it is at the start of a double and nothing
// is ever seen that touches the rest of it alone. A byte is named so, too, where it becomes a
// member of a record: arrays of characters, and unions, are accessed as what they are.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;
using namespace isozyme;

static constexpr int64_t WordSize = 8;

/// Does an access of \p Size bytes, which is \p From away from an integer of \p Small bytes at the
/// start of a word, touch the rest of the word, other than from the start on?
static bool touchesRest(Distances From, int64_t Size, int64_t Small) {
  return From.meets(Small - Size + 1, 0) || From.meets(1, WordSize);
}

/// Does a copy that begins or ends inside of the word, as a copy of what is behind the integer
/// does?
static bool cutsRest(Distances From, int64_t Size, int64_t Small) {
  return Size && (From.meets(1, WordSize) || From.meets(Small - Size + 1, WordSize - Size));
}

/// Is \p Place the start of a double, or of what is that or something else, of which all parts that
/// are seen are integers like the one of \p Size bytes?
bool GraphBuilder::isSmallBesideDouble(PointerTarget Place, int64_t Size) const {
  const MemoryNode &N = G.node(Place.Node);
  if (N.Pieces || N.Facts.size() > DeclaredBudget)
    return false;
  bool IsDouble = false;
  for (const auto &[Key, Type] : N.Facts) {
    Distances From(Place, placeOfFact(Key, Type, Place.Node));
    auto [Stride, Offset, FactBytes, Rank, Object] = Key;
    auto FactSize = int64_t(FactBytes);
    bool Overlaps = From.meets(1 - FactSize, WordSize);
    if (Overlaps && Type.isFloat() && !Type.floatType()->isDoubleTy())
      return false;
    if (Type.kind() != ConcreteType::Anything && touchesRest(From, FactSize, Size))
      return false;
    IsDouble |= Overlaps && FactSize == WordSize && (Type.isFloat() || !Type.isKnown());
  }
  return IsDouble;
}

/// Is \p V loaded or stored as a char that is a member of a record?
static bool isCharOfRecord(const Value &V, const DataLayout &DL) {
  auto Names = [&](const Value *Access) {
    auto *I = dyn_cast<Instruction>(Access);
    const MDNode *Tag = I ? I->getMetadata(LLVMContext::MD_tbaa) : nullptr;
    int64_t At = 0;
    return Tag && recordOfTag(Tag, At) && typeNamedBy(Tag, DL).kind() == ConcreteType::Anything;
  };
  auto Keeps = [&](const User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    return Store && Store->getValueOperand() == &V && Names(Store);
  };
  return isa<LoadInst>(V) && V.getType()->isIntegerTy(8) && (Names(&V) || any_of(V.users(), Keeps));
}

void GraphBuilder::noteSmallIntegers() {
  using Word = std::tuple<unsigned, int64_t, uint64_t, uint64_t>;
  std::map<Word, SmallVector<const Value *, 4>> Small;
  for (const PendingAccess &A : IntegerAccesses) {
    PointerTarget Place = G.normal(A.Place).ofAnyObject();
    if (Place.isValid() && G.node(Place.Node).Skewed) // It may be at any of the words.
      Place = Place.plus(0, WordSize);
    bool IsNamed = A.Value && (A.Named.kind() == ConcreteType::Integer ||
                               (A.Load && isCharOfRecord(*A.Value, DL)));
    if (IsNamed && !isa<Constant>(A.Value) && Place.isValid() && A.Size < WordSize &&
        isSmallBesideDouble(Place, int64_t(A.Size)))
      Small[{Place.Node, Place.Offset, Place.Stride, A.Size}].push_back(A.Value);
  }
  DenseSet<const Value *> Chars;
  for (const auto &[Key, Values] : Small) {
    auto [Node, Offset, Stride, Size] = Key;
    PointerTarget Place{Node, Offset, Stride};
    auto Touches = [&, Small = int64_t(Size)](PointerTarget There, uint64_t Bytes, auto Rest) {
      There = G.normal(There);
      return There.isValid() && There.Node == Place.Node &&
             Rest(Distances(Place, There), int64_t(Bytes), Small);
    };
    if (any_of(IntegerAccesses,
               [&](const PendingAccess &B) { return Touches(B.Place, B.Size, touchesRest); }))
      continue;
    if (any_of(Copies, [&](const CopyLink &Link) {
          return Touches(Link.From, Link.Size, cutsRest) || Touches(Link.To, Link.Size, cutsRest);
        }))
      continue;
    for (const Value *V : Values)
      S.Scalars.addEvidence(V, ConcreteType::Integer);
    Chars.insert_range(make_filter_range(
        Values, [&](const Value *V) { return Size == 1 && isCharOfRecord(*V, DL); }));
  }
  for (PendingAccess &A : IntegerAccesses) // By way of a reference, it has no name.
    if (A.Value && Chars.contains(A.Value))
      A.Named = ConcreteType::Integer;
}
