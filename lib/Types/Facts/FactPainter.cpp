//===- FactPainter.cpp - Facts painted on a range of bytes ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts are painted on a range of bytes: a more specific fact covers a less specific one (an
// exact offset beats "every 56 bytes", which beats "every 8 bytes"; an access beats a
// declaration of the same precision). Facts of the same precision that disagree leave Unknown,
// as do those of steps of which neither contains the other (24 bytes and 40), and so does a byte
// about which there is no fact. Doubtful facts cover what is declared or accessed nowhere, and
// must agree with each other. Where objects lie skewed to each other, an exact offset is that of
// one of them only, and covers nothing. Where a float is kept in what the source declares as an
// integer, its declarations do not count. Of a place in a known object, facts about other
// objects say nothing; only where the rest leaves a doubt are they asked, too.
//
// In a long array, most bytes are painted like those one element before: such a stretch is
// painted once.
//
//===----------------------------------------------------------------------===//

#include "FactPainter.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace isozyme;

namespace {

/// More specific facts compare greater.
using Precision = std::tuple<unsigned /*how direct*/, uint64_t /*stride*/, unsigned /*access*/>;

constexpr unsigned directness(FactRank Rank) { return 2 * unsigned(Rank); }

/// "Every 40 bytes" is no special case of "every 24 bytes", so it covers nothing there.
bool haveOtherSteps(const Precision &A, const Precision &B) {
  constexpr uint64_t Exact = std::numeric_limits<uint64_t>::max();
  auto [Less, More] = std::minmax(std::get<1>(A), std::get<1>(B));
  return std::get<0>(A) == std::get<0>(B) && Less && More != Exact && More % Less;
}

/// That of what both tell: with other steps, each is true of some of the other's places only.
Precision joint(const Precision &A, const Precision &B) {
  Precision Both = std::max(A, B);
  uint64_t First = std::get<1>(A), Second = std::get<1>(B);
  if (haveOtherSteps(A, B))
    std::get<1>(Both) = SaturatingMultiply(First / std::gcd(First, Second), Second);
  return Both;
}

struct PaintedByte {
  ConcreteType Type;
  unsigned Phase = 0; ///< Position inside the float that the byte belongs to.
  Precision By{0, 0, 0};
  bool Seen = false;
  bool Yields = false;    ///< To floats.
  bool AnyFloat = false;  ///< A float, or not known to be none, by a fact of this precision.
  bool Disguised = false; ///< May be part of a float that the source calls otherwise.
  bool OfEach = false;    ///< It is known of each of the places.
  bool OfOne = false;     ///< An integer is known of one of them, which is no filling.
  bool Brought = false;   ///< By a fact that is Fact::OfOne.
};

/// Integers do not melt with neighbours into something larger by mistake: runs are only about
/// kinds, so equal kinds may share a run.
void append(MemoryLayout &L, uint64_t Size, ConcreteType Type) {
  uint64_t At = L.Runs.empty() ? 0 : L.Runs.back().Offset + L.Runs.back().Size;
  if (!L.Runs.empty() && L.Runs.back().Type == Type)
    L.Runs.back().Size += Size;
  else
    L.Runs.push_back({At, Size, Type});
}

class Painter {
public:
  Painter(PointerTarget Place, uint64_t Size, const MemoryNode &N, WhichFacts Which)
      : Place(Place), Skewed(N.Skewed), Which(Which), AnyDisguise(N.Disguises),
        FloatSize(N.FloatSize), SkewStep(N.SkewStep), ToldWhole(N.isToldWhole()), Bytes(Size) {}

  void paint(const MemoryNode::FactMap &Facts) {
    if (ToldWhole)
      paintUntold(Facts);
    if (AnyDisguise)
      findDisguises(Facts);
    auto It = Facts.begin();
    SmallVector<decltype(It), 8> Doubtful;
    if (!Place.Stride) // Exact facts come first, by offset: skip those before the range.
      It = Facts.lower_bound({0, Place.Offset - 32, 0, FactRank::Shape, 0});
    for (; It != Facts.end(); ++It) {
      if (!Place.Stride && std::get<0>(It->first) == 0 &&
          std::get<1>(It->first) >= Place.Offset + int64_t(Bytes.size())) {
        It = Facts.lower_bound({1, std::numeric_limits<int64_t>::min(), 0, FactRank::Shape, 0});
        if (It == Facts.end())
          break;
      }
      FactRank Rank = std::get<3>(It->first);
      if (Rank == FactRank::Disguise)
        continue;
      if (Which.Proven && (yieldsToFloats(Rank) || Rank == FactRank::Shape))
        continue;
      if (Place.Object && std::get<4>(It->first) && std::get<4>(It->first) != Place.Object)
        continue;
      if (std::get<3>(It->first) == FactRank::Doubtful)
        Doubtful.push_back(It);
      else
        paintFact(It->first, It->second);
    }
    for (auto Known : Doubtful) // For bytes of which nothing better is known.
      paintFact(Known->first, Known->second);
  }

  PaintedRange answer() {
    PaintedRange Answer;
    Answer.AnyFloat = any_of(Bytes, [](const PaintedByte &B) { return B.AnyFloat; });
    Answer.AllPadding = all_of(Bytes, [](const PaintedByte &B) {
      return B.Seen && B.Type.kind() == ConcreteType::Anything;
    });
    if (Which.EachElement)
      dropSingleIntegers();
    dropBrokenFloats();
    Answer.Layout.Period = Bytes.size();
    for (const PaintedByte &B : Bytes)
      append(Answer.Layout, 1, B.Type);
    return Answer;
  }

private:
  void paintFact(const MemoryNode::FactKey &Key, const Fact &Type) {
    auto [FactStride, Offset, Size, Rank, Object] = Key;
    if (FloatSize && FactStride % FloatSize)
      return; // It is one of the floats, which others tell of.
    uint64_t Every = std::gcd(FactStride, Place.Stride);
    // Integers that yield to floats are as precise as a declaration, and weaker. What only looks
    // like a pointer is next to nothing.
    unsigned Direct = isByLook(Rank, Type)   ? directness(FactRank::Shape) + 1
                      : yieldsToFloats(Rank) ? directness(FactRank::Declared)
                                             : directness(std::min(Rank, FactRank::Declared));
    unsigned Strength = Rank == FactRank::Treated  ? 0
                        : Rank == FactRank::Stated ? 1
                        : Rank < FactRank::Member  ? 2
                                                   : 3;
    Precision By{Direct, Every ? Every : std::numeric_limits<uint64_t>::max(), Strength};
    bool SameObject = Place.Object && Object;
    if ((Skewed && !SameObject) || Rank == FactRank::Doubtful)
      By = {Direct, 0, Rank != FactRank::Treated};
    bool Yields = yieldsToFloats(Rank);
    bool Void = isVoidInDisguise(Type) && isStatement(Rank);
    bool OfEach = !isOfOneElement(Key, Type, Place);
    bool IsFilling = Rank == FactRank::Stated && Size < WordContent::Size; // As it may be.
    forBytes(Key, Type, [&](PaintedByte &B, uint64_t K) {
      if (B.Disguised && Void)
        return;
      paintByte(B, K, Type, By, Yields);
      B.OfEach |= OfEach;
      B.OfOne |= !OfEach && !IsFilling;
    });
  }

  /// What no fact is about does not matter, unless one may be that is about a displaced object.
  void paintUntold(const MemoryNode::FactMap &Facts) {
    for (PaintedByte &B : Bytes)
      B.Type = ConcreteType::Anything;
    if (!SkewStep)
      return;
    for (const auto &[Key, Known] : Facts) {
      MemoryNode::FactKey Anywhere = Key;
      std::get<0>(Anywhere) = std::gcd(std::get<0>(Key), SkewStep);
      forBytes(Anywhere, Fact(Known, std::nullopt),
               [](PaintedByte &B, uint64_t) { B.Type = ConcreteType(); });
    }
  }

  void findDisguises(const MemoryNode::FactMap &Facts) {
    for (const auto &[Key, Type] : Facts)
      if (std::get<3>(Key) == FactRank::Disguise &&
          (std::get<2>(Key) <= Bytes.size() || isAsExact(Key, Place)))
        forBytes(Key, Type, [](PaintedByte &B, uint64_t) { B.Disguised = true; });
  }

  /// Calls \p Paint for each byte in the range that the fact is about, with its position in
  /// what the fact is about.
  template <typename PaintByte>
  void forBytes(const MemoryNode::FactKey &Key, const Fact &Known, PaintByte Paint) {
    int64_t Size = std::get<2>(Key), End = Bytes.size();
    Distances Behind(Place, placeOfFact(Key, Known));
    std::optional<int64_t> First = Behind.notBelow(1 - Size); // It may reach into the range.
    for (; First && *First < End; First = Behind.notBelow(*First + 1))
      for (int64_t At = std::max<int64_t>(*First, 0); At < std::min(*First + Size, End); ++At)
        Paint(Bytes[At], At - *First);
  }

  static void paintByte(PaintedByte &B, uint64_t K, const Fact &Type, Precision By, bool Yields) {
    unsigned Phase = Type.isFloat() ? K : 0;
    bool MaybeFloat = Type.isFloat() || !Type.isKnown();
    bool DoubtBoth = std::get<0>(By) == directness(FactRank::Doubtful) &&
                     std::get<0>(B.By) == directness(FactRank::Spread);
    // What yields to floats does not yield to addresses.
    bool YieldsToNone = (Yields || B.Yields) && !Type.isFloat() && !B.Type.isFloat() &&
                        std::get<0>(By) == std::get<0>(B.By) &&
                        std::get<1>(By) == std::get<1>(B.By);
    // What one of many was does not cover a float.
    bool HidesFloat = Type.isFloat() ? B.Brought && By < B.By : Type.OfOne && B.Type.isFloat();
    if (B.Seen &&
        (DoubtBoth || YieldsToNone || HidesFloat || By == B.By || haveOtherSteps(By, B.By))) {
      mix(B, Type, Phase);
      B.By = joint(B.By, By);
      B.AnyFloat |= MaybeFloat;
    } else if (!B.Seen || By > B.By) {
      bool Brought = Type.OfOne;
      B = {Type, Phase, By, true, Yields, MaybeFloat, B.Disguised, B.OfEach, B.OfOne, Brought};
    }
  }

  static void mix(PaintedByte &B, ConcreteType Type, unsigned Phase) {
    ConcreteType Joined = B.Type.join(Type);
    if (B.Type.isFloat() && Type.isFloat() && Phase != B.Phase)
      Joined = ConcreteType::Unknown;
    if (!B.Type.isFloat())
      B.Phase = Phase;
    B.Type = Joined;
  }

  static unsigned sizeOf(ConcreteType T) {
    return T.floatType()->isX86_FP80Ty() ? 16 : T.floatType()->getPrimitiveSizeInBits() / 8;
  }

  /// What one element is says nothing of the others: a count may stand before numbers. Of elements
  /// of which more is known, what fills them up is called an integer, too.
  void dropSingleIntegers() {
    bool AreRecords = any_of(Bytes, [](const PaintedByte &B) { return B.OfEach; });
    for (PaintedByte &B : Bytes)
      if (B.Seen && !B.OfEach && (B.OfOne || !AreRecords) && B.Type.kind() == ConcreteType::Integer)
        B.Type = ConcreteType::Unknown;
  }

  /// A float of which some bytes are cut off or are something else is no float.
  void dropBrokenFloats() {
    for (uint64_t B = 0; B < Bytes.size();) {
      if (!Bytes[B].Type.isFloat()) {
        ++B;
        continue;
      }
      unsigned Size = sizeOf(Bytes[B].Type);
      uint64_t End = B;
      while (End < Bytes.size() && End - B < Size && Bytes[End].Type == Bytes[B].Type &&
             Bytes[End].Phase == End - B)
        ++End;
      if (End - B == Size) {
        B = End;
        continue;
      }
      Bytes[B].Type = ConcreteType::Unknown;
      ++B;
    }
  }

  PointerTarget Place;
  bool Skewed;
  WhichFacts Which;
  bool AnyDisguise;
  uint64_t FloatSize, SkewStep;
  bool ToldWhole;
  std::vector<PaintedByte> Bytes;
};

/// A range in which most bytes are painted like those \p Period bytes before.
class LongRange {
public:
  LongRange(const MemoryNode::FactMap &Facts, PointerTarget Place, uint64_t Size,
            const MemoryNode &N, WhichFacts Which)
      : Facts(Facts), Place(Place), N(N), Which(Which), Size(Size) {}

  /// False if it is not worth while.
  bool paint(PaintedRange &Result) {
    if (Size < Least || !findPeriod())
      return false;
    Result.Layout.Period = Size;
    Result.AllPadding = true;
    uint64_t Done = 0;
    for (auto [Begin, End] : singularParts()) {
      addPeriodic(Result, Done, Begin);
      add(Result, Begin, End);
      Done = End;
    }
    addPeriodic(Result, Done, Size);
    return true;
  }

private:
  /// Shorter ranges are painted byte by byte.
  static constexpr uint64_t Least = 1024;
  /// No float is longer: so far away, nobody sees that one is cut off.
  static constexpr uint64_t Margin = 16;

  bool findPeriod() {
    if (N.isToldWhole() && N.SkewStep)
      Period = N.SkewStep;
    for (const auto &[Key, Type] : Facts) {
      uint64_t Every = std::gcd(std::get<0>(Key), Place.Stride);
      if (!Every)
        continue;
      Period = std::lcm(Period, Every);
      if (Period > Size / 4)
        return false;
    }
    return true;
  }

  /// The ends of the range, and what is near to where a fact is about one place, or the first.
  SmallVector<std::pair<uint64_t, uint64_t>, 8> singularParts() const {
    SmallVector<std::pair<uint64_t, uint64_t>, 8> Parts = {{0, Margin}};
    auto Add = [&](int64_t Begin, int64_t End) {
      int64_t First = std::max<int64_t>(Begin - int64_t(Margin), 0);
      int64_t Last = std::min<int64_t>(End + int64_t(Margin), Size);
      if (First >= Last)
        return;
      uint64_t From = First, To = Last;
      if (From <= Parts.back().second)
        Parts.back().second = std::max(Parts.back().second, To);
      else
        Parts.push_back({From, To});
    };
    SmallVector<std::pair<int64_t, int64_t>, 8> Singular;
    for (const auto &[Key, Known] : Facts)
      if (Distances Behind(Place, placeOfFact(Key, Known)); !Behind.Down || !Behind.Up)
        Singular.push_back({Behind.At, Behind.At + int64_t(std::get<2>(Key))});
    llvm::sort(Singular);
    for (auto [Begin, End] : Singular)
      Add(Begin, End);
    Add(Size, Size);
    return Parts;
  }

  PaintedRange part(uint64_t Begin, uint64_t End) const {
    Painter P(Place.plus(Begin), End - Begin, N, Which);
    P.paint(Facts);
    return P.answer();
  }

  /// Adds the bytes from \p Begin to \p End, \p Times times over.
  void add(PaintedRange &Result, uint64_t Begin, uint64_t End, uint64_t Times = 1) const {
    uint64_t From = Begin - std::min(Begin, Margin), To = std::min(End + Margin, Size);
    PaintedRange Wide = part(From, To);
    Result.AnyFloat |= Wide.AnyFloat;
    Result.AllPadding &= Wide.AllPadding;
    MemoryLayout L;
    for (const TypedRun &Run : Wide.Layout.Runs) {
      uint64_t First = std::max(From + Run.Offset, Begin);
      uint64_t Last = std::min(From + Run.Offset + Run.Size, End);
      if (First < Last)
        append(L, Last - First, Run.Type);
    }
    if (L.Runs.size() == 1)
      return append(Result.Layout, Times * (End - Begin), L.Runs.front().Type);
    for (; Times; --Times)
      for (const TypedRun &Run : L.Runs)
        append(Result.Layout, Run.Size, Run.Type);
  }

  void addPeriodic(PaintedRange &Result, uint64_t Begin, uint64_t End) const {
    // Small periods are added many at a time, which takes less time.
    uint64_t Step = Period * divideCeil(Least / 4, Period);
    if (uint64_t Times = (End - Begin) / Step) {
      add(Result, Begin, Begin + Step, Times);
      Begin += Times * Step;
    }
    if (Begin < End)
      add(Result, Begin, End);
  }

  const MemoryNode::FactMap &Facts;
  PointerTarget Place;
  const MemoryNode &N;
  WhichFacts Which;
  uint64_t Size, Period = 1;
};

} // namespace

bool isozyme::isAsExact(const MemoryNode::FactKey &Key, PointerTarget Place) {
  return !std::get<0>(Key) || Place.Stride;
}

bool isozyme::isOfOneElement(const MemoryNode::FactKey &Key, const Fact &Type,
                             PointerTarget Place) {
  bool IsOfOne = Type.OfOne || (!std::get<0>(Key) && Place.Stride);
  return IsOfOne && Type.kind() == ConcreteType::Integer;
}

PaintedRange isozyme::paintFacts(const MemoryNode::FactMap &Facts, PointerTarget Place,
                                 uint64_t Size, const MemoryNode &N, WhichFacts Which) {
  PaintedRange Result;
  if (LongRange(Facts, Place, Size, N, Which).paint(Result))
    return Result;
  Painter P(Place, Size, N, Which);
  P.paint(Facts);
  return P.answer();
}
