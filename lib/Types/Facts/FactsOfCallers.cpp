//===- FactsOfCallers.cpp - What callers tell of the memory they pass -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: what a caller knows of its memory, and where in it the arguments of a call, and its result,
// lead.
// Out: facts about the memory of a parameter, or of what is returned, and all that it leads to.
//
//   f(p)  =>  *p = q;            the caller: p leads to 8 bytes, a pointer to doubles
//   f(n)  =>  r->n = n;          the caller: what is returned starts with an integer
//             return r;
//
// Callers pass different places, such as two members of one record. What is a float behind one of
// them and an integer or padding behind the other is as the function itself sees it, where it does.
//
//===----------------------------------------------------------------------===//

#include "FactPainter.h"
#include "Graph/GraphBuilder.h"
#include <numeric>
#include <set>
#include <tuple>

using namespace llvm;
using namespace isozyme;

/// What is accessed as a pointer here, and may be a float as the caller sees it, is part of
/// a union: integers that are moved from there need be no addresses.
void GraphBuilder::addDoubtsOfCaller(PointerTarget Here, PointerTarget There,
                                     const MemoryGraph &Caller) {
  for (auto &[Key, Type] : G.Nodes[Here.Node].Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    PointerTarget Theirs = There.plus(Offset - Here.Offset, std::gcd(Stride, Here.Stride));
    // What only some elements hold is not known well enough to raise doubts.
    if (Theirs.Stride || Caller.node(There.Node).Skewed)
      continue;
    if (Type.kind() == ConcreteType::Pointer && Caller.mayBeFloat(Theirs, Size))
      Type = Fact(ConcreteType::Unknown, Type.First);
  }
  G.Nodes[Here.Node].Answers.clear();
}

/// Is it seen that there are addresses where \p Key is about? What may be anywhere tells nothing.
static bool usesAsAddress(const MemoryNode::FactKey &Known, ConcreteType Type,
                          const MemoryNode::FactKey &Key) {
  auto [Stride, Offset, Size, Rank, Object] = Known;
  auto [KeyStride, KeyOffset, KeySize, KeyRank, KeyObject] = Key;
  bool Other = Object && KeyObject && Object != KeyObject;
  if (Rank != FactRank::Access || (Stride && Stride < Size) || Other ||
      (Type.isKnown() && Type.kind() != ConcreteType::Pointer))
    return false;
  uint64_t Every = std::gcd(Stride, KeyStride);
  int64_t Distance = Offset - KeyOffset;
  return Every ? Distance % int64_t(Every) == 0 : Distance == 0;
}

/// What other callers may deny, or what they know of another place.
static bool mayBeDisputed(FactRank Rank, ConcreteType Type) {
  bool IsPlain = Type.isFloat() || Type.kind() == ConcreteType::Integer ||
                 Type.kind() == ConcreteType::Anything;
  return IsPlain &&
         (Rank == FactRank::Spread || yieldsToFloats(Rank) || Rank == FactRank::Declared);
}

void GraphBuilder::addFactsOfCaller(const Function &Callee, std::optional<unsigned> Parameter,
                                    PointerTarget Passed, const MemoryGraph &Caller,
                                    AskedOfCallers Asked) {
  // Pairs of places, here and in the caller, that are the same memory.
  SmallVector<std::pair<PointerTarget, PointerTarget>, 8> Work;
  DenseMap<std::pair<unsigned, unsigned>, int64_t> Seen; // And how far apart they are.
  const GraphSummary::Interface &Interface = S.Functions[&Callee];
  if (!Parameter) {
    Work.push_back({G.normal(Interface.Return), Passed});
  } else if (*Parameter < Interface.Formals.size()) {
    PointerTarget Start = G.normal(Interface.Formals[*Parameter]);
    Start.Object = G.targetOf(Callee.getArg(*Parameter)).Object;
    Work.push_back({Start, Passed});
  }
  while (!Work.empty()) {
    auto [Here, There] = Work.pop_back_val();
    if (Here.isValid() && Parameter)
      noteWhoseMemory(Here, There, Caller);
    if (!Here.isValid() || !There.isValid())
      continue;
    int64_t Apart = There.Offset - Here.Offset;
    if (auto [It, New] = Seen.try_emplace({Here.Node, There.Node}, Apart); !New) {
      G.Nodes[Here.Node].SeenByOthers |= It->second != Apart;
      continue;
    }
    addDoubtsOfCaller(Here, There, Caller);
    bool Skewed = Caller.node(There.Node).Skewed;
    for (auto &[Key, Type] : Caller.node(There.Node).Facts) {
      auto [Stride, Offset, Size, Rank, Object] = Key;
      bool KnowsObject = There.Object && Object;
      if (KnowsObject && Object != There.Object)
        continue;
      Fact Passed = Type;
      Passed.OfOne = isOfOneElement(Key, Type, There);
      FactRank Trust = std::min(Rank, FactRank::Declared);
      if (Skewed && !KnowsObject && Rank >= FactRank::Treated)
        Trust = FactRank::Doubtful;
      Distances Behind(There, placeOfFact(Key, Type));
      PointerTarget Place = Here.plus(Behind.At, Behind.Every, !Behind.Down);
      // A float, or a float and something else that is read here as a number at other times.
      bool MayBeFloat = Type.isFloat() || (!Type.isKnown() && isMovedAt(Place, Size));
      if (Rank != FactRank::Disguise && Asked != AskedOfCallers::All &&
          (Asked != AskedOfCallers::Floats || !MayBeFloat))
        continue;
      // What is only moved here may be used as an address there, and elsewhere as a float.
      bool MayBeAddress = Type.kind() == ConcreteType::Pointer || !Type.isKnown();
      if (Rank == FactRank::Access && Trust == FactRank::Declared && MayBeAddress &&
          isMovedAt(Place, Size))
        Trust = FactRank::Access;
      if (mayBeDisputed(Trust, Type))
        Told.push_back({Place, Size, Type, Trust});
      else
        G.addFact(Place, Size, Passed, Trust);
      if (Rank != FactRank::Disguise)
        continue;
      // And not what is declared there; but there may be addresses, too, unless the caller
      // knows better: of addresses in steps, the single place need be none.
      bool IsFloat = Caller.typeAt(placeOfFact(Key, Type, There.Node), Size).isFloat();
      bool Mixed = !IsFloat && any_of(Caller.node(There.Node).Facts, [&](const auto &Fact) {
        return usesAsAddress(Fact.first, Fact.second, Key);
      });
      bool IsAddress = Type.kind() == ConcreteType::Pointer &&
                       !Caller.mayBeFloat(placeOfFact(Key, Type, There.Node), Size);
      G.addFact(Place, Size, Mixed && !IsAddress ? ConcreteType() : ConcreteType(Type),
                FactRank::Access);
      // An element of the array that the caller knows is one object here.
      if (!Here.Stride && There.Stride && Stride && Stride % There.Stride == 0)
        for (int64_t At : {Place.Offset, Place.Offset - int64_t(There.Stride)})
          G.addFact({Here.Node, At, 0, Here.Object}, Size, Type, FactRank::Disguise);
    }
    for (auto &[Key, Cell] : G.node(Here.Node).Cells) {
      Distances Behind(Here, G.placeOfCell(Here.Node, Key));
      PointerTarget Theirs = There.plus(Behind.At, Behind.Every, !Behind.Down);
      if (Cell.Target.isValid())
        Work.push_back({G.normal(Cell.Target), Caller.contentOf(Theirs, Cell.Pointee)});
    }
  }
}

/// Of the integers, floats and padding that callers have told of: by number, with which others
/// each is at odds.
static std::vector<SmallVector<unsigned, 2>> findDisputes(ArrayRef<ToldFact> Told) {
  /// More than callers of usual records have; to compare them all would take long.
  constexpr size_t MaxCompared = 4096;
  std::vector<SmallVector<unsigned, 2>> Disputes(Told.size());
  if (Told.size() > MaxCompared)
    return Disputes;
  for (auto [I, Float] : enumerate(Told)) {
    if (!Float.Type.isFloat())
      continue;
    for (auto [J, Other] : enumerate(Told)) {
      // What is told of each record says more than what is told of each element.
      if (Other.Type.isFloat() || Float.Place.Node != Other.Place.Node ||
          Float.Place.Stride != Other.Place.Stride ||
          !Distances(Float.Place, Other.Place).meets(1 - int64_t(Other.Size), Float.Size))
        continue;
      Disputes[I].push_back(J);
      Disputes[J].push_back(I);
    }
  }
  return Disputes;
}

/// Does \p Part lie in \p Whole, of the same step, wherever it is? What lies in each of many floats
/// is a mixture in the caller, too.
static bool isPartOf(const ToldFact &Part, const ToldFact &Whole) {
  int64_t Step = Whole.Place.Stride, Distance = Part.Place.Offset - Whole.Place.Offset;
  if (Whole.Place.Onward || (Step && Step <= int64_t(Whole.Size)))
    return false;
  if (Step)
    Distance = (Distance % Step + Step) % Step;
  return Distance >= 0 && Distance + int64_t(Part.Size) <= int64_t(Whole.Size);
}

/// Each once, in the order in which they were told first: most callers tell the same.
static SmallVector<ToldFact, 0> withoutRepeats(ArrayRef<ToldFact> Told) {
  auto KeyOf = [](const ToldFact &T) {
    return std::tuple(T.Place.Node, T.Place.Offset, T.Place.Stride, T.Place.Object, T.Place.Onward,
                      T.Size, T.Type.kind(), T.Type.floatType(), T.Rank);
  };
  std::set<decltype(KeyOf(Told.front()))> Seen;
  SmallVector<ToldFact, 0> Each;
  for (const ToldFact &T : Told)
    if (Seen.insert(KeyOf(T)).second)
      Each.push_back(T);
  return Each;
}

void GraphBuilder::settleToldFacts() {
  for (ToldFact &Each : Told)
    Each.Place = G.normal(Each.Place);
  Told = withoutRepeats(Told);
  std::vector<SmallVector<unsigned, 2>> Disputes = findDisputes(Told);
  auto Add = [&](const ToldFact &Each) { G.addFact(Each.Place, Each.Size, Each.Type, Each.Rank); };
  for (auto [Each, Others] : zip_equal(Told, Disputes))
    if (Others.empty())
      Add(Each);
  if (all_of(Disputes, [](const auto &Others) { return Others.empty(); }))
    return;
  carryAlongCopies();
  SmallVector<bool> SeenHere;
  for (auto [Each, Others] : zip_equal(Told, Disputes))
    SeenHere.push_back(!Others.empty() && Each.Type.isFloat() &&
                       G.typeAt(Each.Place, Each.Size) == Each.Type);
  for (auto [Each, Others] : zip_equal(Told, Disputes)) {
    auto IsSeen = [&](unsigned J) { return SeenHere[J]; };
    auto IsPart = [&](unsigned J) { return isPartOf(Each, Told[J]); };
    const MemoryNode &N = G.node(Each.Place.Node);
    bool IsPlain = N.Cells.empty() && !N.Merged && !N.Skewed; // Else much is there that differs.
    bool IsDenied =
        IsPlain && !Each.Type.isFloat() && all_of(Others, IsSeen) && any_of(Others, IsPart);
    if (!Others.empty() && !IsDenied)
      Add(Each);
  }
}
