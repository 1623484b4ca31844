//===- LayoutQuery.cpp - From facts to the type of each byte --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers what a range of bytes holds, by the facts of its node (FactPainter.h), and what
// the elements of arrays hold whose number is not known: there, facts are those about every
// element.
//
//===----------------------------------------------------------------------===//

#include "FactPainter.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>

using namespace llvm;
using namespace isozyme;

/// A layout larger than this is not asked about.
constexpr uint64_t MaxTable = uint64_t(1) << 24;
/// Records larger than this are not recognised as the period of an array.
constexpr uint64_t MaxPeriod = 8192;
/// Facts are not folded into a period if that takes more than so many steps.
constexpr uint64_t MaxPainting = uint64_t(1) << 20;

/// The period of the arrays in \p N, by the strides of what is known about it at least as
/// well as \p Least, or treated as an integer.
static uint64_t periodOf(const MemoryNode &N, FactRank Least) {
  uint64_t Period = 1, Uniform = 0;
  ConcreteType Common = ConcreteType::Anything;
  bool AnyStride = false, Mixed = false;
  for (const auto &[Key, Type] : N.Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    if ((Rank < Least && !yieldsToFloats(Rank)) || Type.OfOne)
      continue;
    if (Stride) {
      AnyStride = true;
      Period = std::lcm(Period, Stride);
      if (Period > MaxPeriod)
        return 0;
    } else if (Type.kind() != ConcreteType::Anything && !isByLook(Rank, Type)) {
      Common = Common.join(Type);
      Mixed |= (Uniform && Uniform != Size) || !Common.isKnown();
      Uniform = Size;
    }
  }
  if (AnyStride)
    return Period;
  // What single elements hold says nothing of the others: a count may stand before
  // numbers. To take bytes for floats that nobody reads as floats does no harm.
  return Mixed || !Common.isFloat() ? 0 : Uniform;
}

/// Does an exact fact, seen as one about every element, contradict what is known of them? Numbers
/// that a loop reads from a row in each record lie, so far as is known, over all of its members:
/// what is known of one member covers that, as in FactPainter.
static bool contradictsElements(const MemoryNode &N, FactRank Least, uint64_t Every, int64_t At,
                                uint64_t Size, ConcreteType Type) {
  uint64_t Longest = 1;
  SmallVector<std::pair<uint64_t /*Step*/, bool /*Contradicts*/>, 8> Elements;
  for (const auto &[Key, Known] : N.Facts) {
    auto [Stride, Offset, KnownSize, Rank, Object] = Key;
    bool Void = N.Disguises && Type.isFloat() && isVoidInDisguise(Known) && isStatement(Rank);
    if (!Stride || Rank < Least || Void)
      continue;
    uint64_t Step = std::gcd(Stride, Every);
    int64_t Distance = (At - Offset) % int64_t(Step);
    if (Distance < 0)
      Distance += Step;
    if (uint64_t(Distance) >= KnownSize && uint64_t(Distance) + Size <= Step)
      continue;
    Elements.push_back({Step, !Known.join(Type).isKnown()});
    Longest = std::max(Longest, Step);
  }
  return any_of(Elements, [&](auto Each) {
    bool IsCovered = Each.first < Longest && Longest % Each.first == 0;
    return Each.second && !IsCovered;
  });
}

/// See MemoryNode::FloatSize. That every element is a float, and not just some, has to be
/// known, if only by what a copy of them is: there may be something else in records that nothing is
/// seen of here.
static uint64_t floatSizeOf(const MemoryNode &N) {
  ConcreteType Common = ConcreteType::Anything;
  uint64_t CommonSize = 0;
  bool Dense = false;
  for (const auto &[Key, Type] : N.Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    if (isByLook(Rank, Type))
      continue;
    Common = Common.join(Type);
    if (!Common.isFloat() || (CommonSize && CommonSize != Size))
      return 0;
    CommonSize = Size;
    if (Stride % Size == 0 && Offset % int64_t(Size))
      return 0;
    Dense |= Stride == Size && Rank >= FactRank::Spread;
  }
  return Dense && N.Cells.empty() ? CommonSize : 0;
}

/// What is known best of single places, by where they are in the period.
using SinglePlaces = std::map<std::pair<int64_t, int64_t>, std::pair<FactRank, ConcreteType>>;

/// Where single elements, of which nothing is known that holds for all, differ: what is known of
/// one says nothing of the next.
static void forgetDifferent(MemoryNode &N, const SinglePlaces &Single) {
  std::map<int64_t, ConcreteType> Common;
  for (auto &[Place, Known] : Single) {
    ConcreteType &T = Common.try_emplace(Place.first, ConcreteType::Anything).first->second;
    T = T.join(Known.second);
  }
  for (auto &[Key, Type] : N.PeriodicFacts) {
    auto It = Common.find(std::get<1>(Key));
    bool IsOfAll = N.Facts.count(Key);
    if (It != Common.end() && !It->second.isKnown() && !IsOfAll)
      Type = ConcreteType();
  }
}

static void findPeriod(MemoryNode &N) {
  N.FloatSize = floatSizeOf(N);
  FactRank Least = FactRank::Declared;
  // Rows may be too long for a period, or have little in common; floats are in them all the same.
  N.Period = N.FloatSize ? N.FloatSize : periodOf(N, Least);
  if (!N.Period)
    N.Period = periodOf(N, Least = FactRank::Doubtful);
  // Many facts of strides that have little in common make no record.
  if (N.Period * N.Facts.size() > MaxPainting)
    N.Period = 0;
  if (!N.Period)
    return;
  SinglePlaces Single;
  for (const auto &[Key, Type] : N.Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    uint64_t Every = std::gcd(Stride, N.Period);
    int64_t At = Offset % int64_t(Every);
    if (At < 0)
      At += Every;
    // One int before an array of doubles is no int in every double.
    bool Doubtful = !Stride && contradictsElements(N, Least, Every, At, Size, Type);
    if (Doubtful && isByLook(Rank, Type))
      continue;
    if (!Stride && Rank >= Least && !isByLook(Rank, Type)) {
      auto &Best = Single.try_emplace({At, Offset}, Rank, Type).first->second;
      if (Best.first < Rank)
        Best = {Rank, Type};
    }
    Fact OfPeriod = Doubtful ? ConcreteType() : ConcreteType(Type);
    OfPeriod.OfOne = Type.OfOne;
    auto [It, New] = N.PeriodicFacts.try_emplace({Every, At, Size, Rank, Object}, OfPeriod);
    if (!New) {
      bool OfOne = It->second.OfOne && OfPeriod.OfOne;
      It->second = It->second.join(OfPeriod);
      It->second.OfOne = OfOne;
    }
  }
  forgetDifferent(N, Single);
}

void MemoryGraph::findPeriods() {
  for (MemoryNode &N : Nodes) {
    N.Answers.clear();
    findPeriod(N);
  }
}

/// \p N without what is known of other objects than \p Object.
static MemoryNode withoutOthers(const MemoryNode &N, unsigned Object) {
  MemoryNode Own = N;
  Own.Facts.clear();
  Own.PeriodicFacts.clear();
  for (const auto &[Key, Type] : N.Facts)
    if (!std::get<4>(Key) || std::get<4>(Key) == Object)
      Own.Facts.insert({Key, Type});
  findPeriod(Own);
  return Own;
}

/// \p N without what is known of single places before \p Start, if that is anything.
static std::optional<MemoryNode> onlyBehind(const MemoryNode &N, int64_t Start) {
  auto IsBefore = [&](const auto &Known) {
    auto [Stride, Offset, Size, Rank, Object] = Known.first;
    return !Stride && Offset + int64_t(Size) <= Start;
  };
  if (none_of(N.Facts, IsBefore))
    return std::nullopt;
  MemoryNode Behind = N;
  Behind.PeriodicFacts.clear();
  std::erase_if(Behind.Facts, IsBefore);
  findPeriod(Behind);
  return Behind;
}

static MemoryLayout paintRange(const MemoryNode::FactMap &Facts, PointerTarget Place, uint64_t Size,
                               const MemoryNode &N) {
  constexpr WhichFacts Which = {.EachElement = true};
  if (Place.Object && N.Merged)
    if (MemoryLayout L = paintFacts(Facts, Place, Size, N, Which).Layout; L.isComplete())
      return L;
  return paintFacts(Facts, Place.ofAnyObject(), Size, N, Which).Layout;
}

/// What the elements of the array at \p Place hold, however many they are.
static MemoryLayout layoutOfPeriod(PointerTarget Place, const MemoryNode &N) {
  if (!N.Period)
    return {};
  MemoryLayout L = paintRange(N.PeriodicFacts, Place.plus(0, N.Period), N.Period, N);
  bool AnyKnown = any_of(L.Runs, [](const TypedRun &Run) { return Run.Type.isKnown(); });
  return AnyKnown ? L : MemoryLayout();
}

MemoryLayout MemoryGraph::elementLayout(PointerTarget Place, int64_t Start, uint64_t Size) const {
  Place = normal(Place);
  if (!Place.isValid() || !Place.Stride || Place.Stride > MaxPeriod)
    return {};
  const MemoryNode &N = node(Place.Node);
  MemoryNode::FactMap Facts;
  for (const auto &[Key, Type] : N.Facts) {
    auto [Stride, Offset, Width, Rank, Object] = Key;
    // An integer among what is something else in each element is a count behind them.
    bool Behind = Type.kind() == ConcreteType::Integer && !N.Skewed &&
                  contradictsElements(N, FactRank::Declared, Place.Stride, Offset, Width, Type);
    if (Stride || (Offset + int64_t(Width) > Start && !Behind))
      Facts.insert({Key, Type});
  }
  return paintRange(Facts, Place, Size ? Size : Place.Stride, N);
}

MemoryLayout MemoryGraph::layoutOf(PointerTarget Place, uint64_t Size, WhichFacts Which) const {
  Place = normal(Place);
  MemoryLayout Nothing;
  if (Size > MaxTable)
    return Nothing;
  if (!Place.isValid()) {
    if (Size) {
      Nothing.Period = Size;
      Nothing.Runs.push_back({0, Size, ConcreteType::Unknown});
    }
    return Nothing;
  }
  const MemoryNode &N = node(Place.Node);
  if (N.FloatSize && Place.Stride % N.FloatSize)
    Place = {Place.Node, 0, N.FloatSize};
  if (!Size && N.ObjectSize && N.ObjectSize <= MaxPeriod && Place.Stride == 0 &&
      Place.Offset >= 0 && uint64_t(Place.Offset) < N.ObjectSize) {
    MemoryLayout L = layoutOf(Place, N.ObjectSize - Place.Offset);
    if (!L.uniform().isFloat())
      return L;
  }
  if (!Size) {
    if (Place.Object && N.Merged)
      if (MemoryLayout L = layoutOfPeriod(Place, withoutOthers(N, Place.Object)); L.isComplete())
        return L;
    MemoryLayout L = layoutOfPeriod(Place, N);
    if (L.isComplete() || !Place.hasFirst())
      return L;
    if (std::optional<MemoryNode> Behind = onlyBehind(N, Place.Offset))
      if (MemoryLayout Rest = layoutOfPeriod(Place, *Behind); Rest.isComplete())
        return Rest;
    return L;
  }
  return paintedFor(Place, Size, Which);
}

/// What all facts of the node say of any of its objects, or the one of \p Place.
const PaintedRange &MemoryGraph::painted(PointerTarget Place, uint64_t Size,
                                         WhichFacts Which) const {
  const MemoryNode &N = node(Place.Node);
  unsigned Flags = N.Skewed | N.isToldWhole() << 1 | N.Disguises << 2 | Which.Proven << 3 |
                   Place.Onward << 4 | Which.EachElement << 5;
  auto [It, New] = N.Answers.try_emplace({Place.Offset, Place.Stride, Place.Object, Size, Flags});
  if (New)
    It->second = paintFacts(N.Facts, Place, Size, N, Which);
  return It->second;
}

/// The same; facts about other objects count where the rest leaves a doubt.
MemoryLayout MemoryGraph::paintedFor(PointerTarget Place, uint64_t Size, WhichFacts Which) const {
  if (Place.Object && node(Place.Node).Merged)
    if (const MemoryLayout &L = painted(Place, Size, Which).Layout; L.isComplete())
      return L;
  return painted(Place.ofAnyObject(), Size, Which).Layout;
}

ConcreteType MemoryGraph::typeAt(PointerTarget Place, uint64_t Size, WhichFacts Which) const {
  return Size ? layoutOf(Place, Size, Which).uniform() : ConcreteType();
}

ConcreteType MemoryGraph::provenTypeAt(PointerTarget Place, uint64_t Size, WhichFacts Which) const {
  Place = normal(Place);
  Which.Proven = true;
  if (!Place.isValid() || !Size || Size > MaxTable)
    return ConcreteType();
  if (Place.Object && node(Place.Node).Merged)
    if (ConcreteType Own = painted(Place, Size, Which).Layout.uniform(); Own.isKnown())
      return Own;
  return painted(Place.ofAnyObject(), Size, Which).Layout.uniform();
}

bool MemoryGraph::mayBeFloat(PointerTarget Place, uint64_t Size) const {
  Place = normal(Place.ofAnyObject());
  if (!Place.isValid() || !Size || Size > MaxTable)
    return false;
  return painted(Place, Size, {.Proven = true}).AnyFloat;
}

WordContent MemoryGraph::wordAt(PointerTarget Place) const {
  constexpr int64_t Word = WordContent::Size;
  WordContent Content;
  Place = normal(Place);
  if (!Place.isValid())
    return Content;
  const MemoryNode &N = node(Place.Node);
  PointerTarget Anywhere = N.Skewed && N.SkewStep ? Place.plus(0, N.SkewStep) : Place;
  for (const auto &[Key, Type] : N.Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    if ((Object && Place.Object && Object != Place.Object) || isByLook(Rank, Type))
      continue;
    Distances Behind(Anywhere, placeOfFact(Key, Type));
    if (!Behind.meets(1 - int64_t(Size), Word))
      continue;
    bool Fits = Size == uint64_t(Word) && Behind.At % Word == 0 && Behind.Every % Word == 0;
    bool IsDouble = Type.isFloat() && Type.floatType()->isDoubleTy();
    bool IsMixed = !Type.isKnown(); // Of eight bytes, only doubles are floats.
    Content.Double |= Fits && (IsDouble || IsMixed);
    Content.Address |= Fits && (Type.kind() == ConcreteType::Pointer || IsMixed);
    Content.OtherFloat |= (Type.isFloat() || IsMixed) && !(Fits && (IsDouble || IsMixed));
    Content.UpperFloat |= Type.isFloat() && Type.floatType()->isFloatTy() &&
                          Rank != FactRank::Shape && Behind.meets(Word / 2, Word / 2 + 1);
  }
  return Content;
}

SmallVector<WordContent, 4> MemoryGraph::wordsOf(ArrayRef<PointerTarget> Ends,
                                                 uint64_t Size) const {
  SmallVector<WordContent, 4> Words(Size / WordContent::Size);
  for (auto [K, Content] : enumerate(Words))
    for (PointerTarget End : Ends)
      Content.add(wordAt(End.plus(K * WordContent::Size)));
  return Words;
}

bool MemoryGraph::mayBeDisguised(PointerTarget Place, uint64_t Size, bool Whole) const {
  Place = normal(Place);
  if (!Place.isValid() || !node(Place.Node).Disguises)
    return false;
  return any_of(node(Place.Node).Facts, [&](const auto &Fact) {
    auto [Stride, Offset, FloatSize, Rank, Object] = Fact.first;
    bool Other = Object && Place.Object && Object != Place.Object;
    if (Rank != FactRank::Disguise || Other ||
        (FloatSize > Size && (Whole || !isAsExact(Fact.first, Place))))
      return false;
    return Distances(Place, placeOfFact(Fact.first, Fact.second))
        .meets(1 - int64_t(FloatSize), Size);
  });
}

bool MemoryGraph::isOnlyInSteps(PointerTarget Place, uint64_t Size) const {
  Place = normal(Place);
  if (!Place.isValid() || Place.Stride || !Size || Size > MaxTable)
    return false;
  const MemoryNode &N = node(Place.Node);
  MemoryNode::FactMap Known = N.Facts;
  auto MayGoBack = [](const auto &Fact) {
    bool IsSpread = std::get<3>(Fact.first) == FactRank::Spread;
    return (IsSpread || !placeOfFact(Fact.first, Fact.second).hasFirst()) && !Fact.second.isFloat();
  };
  return std::erase_if(Known, MayGoBack) && !paintFacts(Known, Place, Size, N).Layout.isComplete();
}

bool MemoryGraph::isByShape(PointerTarget Place, uint64_t Size) const {
  Place = normal(Place);
  if (!Place.isValid() || !Size || Size > MaxTable)
    return false;
  const MemoryNode &N = node(Place.Node);
  auto IsShape = [](const auto &Fact) { return std::get<3>(Fact.first) == FactRank::Shape; };
  if (none_of(N.Facts, IsShape))
    return false;
  MemoryNode::FactMap Others = N.Facts;
  std::erase_if(Others, IsShape);
  return !paintFacts(Others, Place, Size, N).Layout.isComplete();
}

bool MemoryGraph::isPadding(PointerTarget Place, uint64_t Size) const {
  Place = normal(Place);
  if (!Place.isValid() || !Size || Size > MaxTable)
    return false;
  if (Place.Object && node(Place.Node).Merged)
    if (const PaintedRange &Own = painted(Place, Size); Own.Layout.isComplete())
      return Own.AllPadding;
  return painted(Place.ofAnyObject(), Size).AllPadding;
}
