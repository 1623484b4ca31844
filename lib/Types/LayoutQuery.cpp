//===- LayoutQuery.cpp - From facts to the type of each byte --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers what a range of bytes holds. Facts are painted on the range: a more
// specific fact covers a less specific one (an exact offset beats "every 56
// bytes", which beats "every 8 bytes"; an access beats a declaration of the
// same precision). Facts of the same precision that disagree leave Unknown, as do those
// of steps of which neither contains the other (24 bytes and 40),
// and so does a byte about which there is no fact. Doubtful facts cover what is
// declared or accessed nowhere, and must agree with each other. Where objects lie skewed to
// each other, an exact offset is that of one of them only, and covers nothing. Where a float
// is kept in what the source declares as an integer, its declarations do not count. Of a place
// in a known object, facts about other objects say nothing; only where the rest leaves a
// doubt are they asked, too.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Types/MemoryGraph.h"
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
};

/// A layout larger than this is not tabulated byte by byte.
constexpr uint64_t MaxTable = uint64_t(1) << 24;
/// Records larger than this are not recognised as the period of an array.
constexpr uint64_t MaxPeriod = 8192;
/// Nor are facts folded into a period if that takes more than so many steps.
constexpr uint64_t MaxPainting = uint64_t(1) << 20;

/// Is what is known of floats in elements of an array about \p Place, and not only about all
/// that lies as far apart, a count before the array for one?
bool isAsExact(const MemoryNode::FactKey &Key, PointerTarget Place) {
  return !std::get<0>(Key) || Place.Stride;
}

class Painter {
public:
  Painter(PointerTarget Place, uint64_t Size, const MemoryNode &N, bool Proven = false)
      : Place(Place), Skewed(N.Skewed), Proven(Proven), AnyDisguise(N.Disguises),
        FloatSize(N.FloatSize), Bytes(Size) {
    if (N.Private && !Skewed) // What no fact is about.
      for (PaintedByte &B : Bytes)
        B.Type = ConcreteType::Anything;
  }

  void paint(const std::map<MemoryNode::FactKey, ConcreteType> &Facts) {
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
      if (Proven && (yieldsToFloats(Rank) || Rank == FactRank::Shape))
        continue;
      if (Place.Object && std::get<4>(It->first) && std::get<4>(It->first) != Place.Object)
        continue;
      if (std::get<3>(It->first) == FactRank::Doubtful)
        Doubtful.push_back(It);
      else
        paintFact(It->first, It->second);
    }
    for (auto Fact : Doubtful) // For bytes of which nothing better is known.
      paintFact(Fact->first, Fact->second);
  }

  MemoryLayout layout() {
    dropBrokenFloats();
    MemoryLayout L;
    L.Period = Bytes.size();
    for (uint64_t B = 0; B != Bytes.size(); ++B) {
      // Integers do not melt with neighbours into something larger by mistake:
      // runs are only about kinds, so equal kinds may share a run.
      if (!L.Runs.empty() && L.Runs.back().Type == Bytes[B].Type)
        ++L.Runs.back().Size;
      else
        L.Runs.push_back({B, 1, Bytes[B].Type});
    }
    return L;
  }

  /// May some of the bytes be those of a float?
  bool anyFloat() const {
    return any_of(Bytes, [](const PaintedByte &B) { return B.AnyFloat; });
  }

  bool allPadding() const {
    return all_of(Bytes, [](const PaintedByte &B) {
      return B.Seen && B.Type.kind() == ConcreteType::Anything;
    });
  }

private:
  void paintFact(const MemoryNode::FactKey &Key, ConcreteType Type) {
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
    forBytes(Key, [&](PaintedByte &B, uint64_t K) {
      if (!B.Disguised || !Void)
        paintByte(B, K, Type, By, Yields);
    });
  }

  void findDisguises(const std::map<MemoryNode::FactKey, ConcreteType> &Facts) {
    for (const auto &[Key, Type] : Facts)
      if (std::get<3>(Key) == FactRank::Disguise &&
          (std::get<2>(Key) <= Bytes.size() || isAsExact(Key, Place)))
        forBytes(Key, [](PaintedByte &B, uint64_t) { B.Disguised = true; });
  }

  /// Calls \p Paint for each byte in the range that the fact is about, with its position in
  /// what the fact is about.
  template <typename PaintByte> void forBytes(const MemoryNode::FactKey &Key, PaintByte Paint) {
    auto [FactStride, Offset, Size, Rank, Object] = Key;
    uint64_t Every = std::gcd(FactStride, Place.Stride);
    int64_t First = Offset - Place.Offset, End = Bytes.size();
    auto Once = [&] {
      for (int64_t At = std::max<int64_t>(First, 0); At < std::min(First + int64_t(Size), End);
           ++At)
        Paint(Bytes[At], At - First);
    };
    if (!Every)
      return Once();
    First %= int64_t(Every);
    if (First > 0)
      First -= int64_t(Every);
    while (First + int64_t(Size) > int64_t(Every)) // Earlier ones may reach into the range.
      First -= int64_t(Every);
    for (; First < End; First += int64_t(Every))
      Once();
  }

  static void paintByte(PaintedByte &B, uint64_t K, ConcreteType Type, Precision By, bool Yields) {
    unsigned Phase = Type.isFloat() ? K : 0;
    bool MaybeFloat = Type.isFloat() || !Type.isKnown();
    bool DoubtBoth = std::get<0>(By) == directness(FactRank::Doubtful) &&
                     std::get<0>(B.By) == directness(FactRank::Spread);
    // What yields to floats does not yield to addresses.
    bool YieldsToNone = (Yields || B.Yields) && !Type.isFloat() && !B.Type.isFloat() &&
                        std::get<0>(By) == std::get<0>(B.By) &&
                        std::get<1>(By) == std::get<1>(B.By);
    if (B.Seen && (DoubtBoth || YieldsToNone || By == B.By || haveOtherSteps(By, B.By))) {
      mix(B, Type, Phase);
      B.By = joint(B.By, By);
      B.AnyFloat |= MaybeFloat;
    } else if (!B.Seen || By > B.By) {
      B = {Type, Phase, By, true, Yields, MaybeFloat, B.Disguised};
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
  bool Skewed, Proven, AnyDisguise;
  uint64_t FloatSize;
  std::vector<PaintedByte> Bytes;
};

} // namespace

/// The period of the arrays in \p N, by the strides of what is known about it at least as
/// well as \p Least, or treated as an integer.
static uint64_t periodOf(const MemoryNode &N, FactRank Least) {
  uint64_t Period = 1, Uniform = 0;
  ConcreteType Common = ConcreteType::Anything;
  bool AnyStride = false, Mixed = false;
  for (const auto &[Key, Type] : N.Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    if (Rank < Least && !yieldsToFloats(Rank))
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

/// Does an exact fact, seen as one about every element, contradict what is known of them?
static bool contradictsElements(const MemoryNode &N, FactRank Least, uint64_t Every, int64_t At,
                                uint64_t Size, ConcreteType Type) {
  return any_of(N.Facts, [&](const auto &Known) {
    auto [Stride, Offset, KnownSize, Rank, Object] = Known.first;
    bool Void =
        N.Disguises && Type.isFloat() && isVoidInDisguise(Known.second) && isStatement(Rank);
    if (!Stride || Rank < Least || Void || Known.second.join(Type).isKnown())
      return false;
    uint64_t Step = std::gcd(Stride, Every);
    int64_t Distance = (At - Offset) % int64_t(Step);
    if (Distance < 0)
      Distance += Step;
    return uint64_t(Distance) < KnownSize || uint64_t(Distance) + Size > Step;
  });
}

/// See MemoryNode::FloatSize. That every element is a float, and not just some, has to be
/// known: there may be something else in records that nothing is seen of here.
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
    Dense |= Stride == Size && Rank >= FactRank::Declared;
  }
  return Dense && N.Cells.empty() ? CommonSize : 0;
}

static void findPeriod(MemoryNode &N) {
  N.FloatSize = floatSizeOf(N);
  FactRank Least = FactRank::Declared;
  N.Period = periodOf(N, Least);
  if (!N.Period)
    N.Period = periodOf(N, Least = FactRank::Doubtful);
  // Many facts of strides that have little in common make no record.
  if (N.Period * N.Facts.size() > MaxPainting)
    N.Period = 0;
  if (!N.Period)
    return;
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
    auto [It, New] = N.PeriodicFacts.try_emplace({Every, At, Size, Rank, Object},
                                                 Doubtful ? ConcreteType() : Type);
    if (!New)
      It->second = It->second.join(Doubtful ? ConcreteType() : Type);
  }
}

void MemoryGraph::findPeriods() {
  for (MemoryNode &N : Nodes)
    findPeriod(N);
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

static MemoryLayout paintRange(const std::map<MemoryNode::FactKey, ConcreteType> &Facts,
                               PointerTarget Place, uint64_t Size, const MemoryNode &N) {
  auto Painted = [&](PointerTarget At) {
    Painter P(At, Size, N);
    P.paint(Facts);
    return P.layout();
  };
  if (Place.Object && N.Merged)
    if (MemoryLayout L = Painted(Place); L.isComplete())
      return L;
  return Painted(Place.ofAnyObject());
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
  std::map<MemoryNode::FactKey, ConcreteType> Facts;
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

MemoryLayout MemoryGraph::layoutOf(PointerTarget Place, uint64_t Size) const {
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
    return layoutOfPeriod(Place, N);
  }
  return paintRange(N.Facts, Place, Size, N);
}

ConcreteType MemoryGraph::typeAt(PointerTarget Place, uint64_t Size) const {
  return Size ? layoutOf(Place, Size).uniform() : ConcreteType();
}

ConcreteType MemoryGraph::provenTypeAt(PointerTarget Place, uint64_t Size) const {
  Place = normal(Place);
  if (!Place.isValid() || !Size || Size > MaxTable)
    return ConcreteType();
  const MemoryNode &N = node(Place.Node);
  auto Painted = [&](PointerTarget At) {
    Painter P(At, Size, N, true);
    P.paint(N.Facts);
    return P.layout().uniform();
  };
  ConcreteType Own = Place.Object && N.Merged ? Painted(Place) : ConcreteType();
  return Own.isKnown() ? Own : Painted(Place.ofAnyObject());
}

bool MemoryGraph::mayBeFloat(PointerTarget Place, uint64_t Size) const {
  Place = normal(Place.ofAnyObject());
  if (!Place.isValid() || !Size || Size > MaxTable)
    return false;
  Painter P(Place, Size, node(Place.Node), true);
  P.paint(node(Place.Node).Facts);
  return P.anyFloat();
}

bool MemoryGraph::mayBeDisguised(PointerTarget Place, uint64_t Size, bool Whole) const {
  Place = normal(Place);
  if (!Place.isValid() || !node(Place.Node).Disguises)
    return false;
  return any_of(node(Place.Node).Facts, [&](const auto &Fact) {
    auto [Stride, Offset, FloatSize, Rank, Object] = Fact.first;
    if (Rank != FactRank::Disguise ||
        (FloatSize > Size && (Whole || !isAsExact(Fact.first, Place))))
      return false;
    int64_t Distance = Offset - Place.Offset;
    uint64_t Every = std::gcd(Stride, Place.Stride);
    if (!Every)
      return Distance < int64_t(Size) && Distance + int64_t(FloatSize) > 0;
    Distance %= int64_t(Every);
    uint64_t Ahead = Distance < 0 ? Distance + Every : Distance;
    return Ahead < Size || Ahead + FloatSize > Every;
  });
}

bool MemoryGraph::isPadding(PointerTarget Place, uint64_t Size) const {
  Place = normal(Place.ofAnyObject());
  if (!Place.isValid() || !Size || Size > MaxTable)
    return false;
  Painter P(Place, Size, node(Place.Node));
  P.paint(node(Place.Node).Facts);
  return P.allPadding();
}
