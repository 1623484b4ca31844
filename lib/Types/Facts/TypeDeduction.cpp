//===- TypeDeduction.cpp - What integers and copies carry along -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step of building the graph. Integers and bulk copies carry facts from one
// place to another until none is new: first floats where the source declares something
// else, then what is proven, then what the program treats as a number.
//
//===----------------------------------------------------------------------===//

#include "FactPainter.h"
#include "Graph/GraphBuilder.h"
#include "llvm/IR/Constants.h"
#include <map>

using namespace llvm;
using namespace isozyme;

/// Rounds of carrying facts along copies; a chain of more copies stays unknown.
static constexpr unsigned CopyRounds = 32;
/// Copies add no facts to memory of which so many are known.
static constexpr unsigned MaxCopiedFacts = 512;

bool GraphBuilder::copyFacts(const CopyLink &Link) {
  bool Changed = false;
  for (bool Backward : {false, true}) {
    PointerTarget From = G.normal(Backward ? Link.To : Link.From);
    PointerTarget To = G.normal(Backward ? Link.From : Link.To);
    if (From == To || G.node(To.Node).Facts.size() > MaxCopiedFacts)
      continue;
    auto Facts = G.node(From.Node).Facts;
    for (auto &[Key, Type] : Facts) {
      auto [Stride, Offset, Size, Rank, Object] = Key;
      bool IsAddress = Rank == FactRank::Disguise && Type.kind() == ConcreteType::Pointer;
      if ((From.Object && Object && Object != From.Object) || (Link.Numbers && !IsAddress))
        continue;
      Fact Moved = Type;
      Moved.OfOne = isOfOneElement(Key, Type, From);
      // What a copy brings is weaker than what its target is used as.
      FactRank Carried = std::min(Rank, FactRank::Declared);
      auto Add = [&](PointerTarget Place) {
        Changed |= G.addFact(Place, Size, Moved, Carried);
        // Where nobody else sees the memory, nothing else tells that addresses are moved there.
        if (Link.Numbers && G.node(Place.Node).Private &&
            G.typeAt(Place, Size).kind() == ConcreteType::Anything)
          Changed |= G.addFact(Place, Size, Type, FactRank::Access);
      };
      Distances Behind(From, placeOfFact(Key, Type));
      std::optional<int64_t> First = Behind.notBelow(0);
      if (!First)
        continue;
      int64_t At = *First;
      uint64_t Every = Behind.Every;
      if (!Every) {
        if (!Link.Size || At + int64_t(Size) <= int64_t(Link.Size))
          Add(To.plus(At));
        continue;
      }
      // What lies in steps among the copies of memory of which all writes are seen need not come
      // from there.
      if (Backward && G.node(To.Node).WrittenHere)
        Carried = std::min(Carried, FactRank::Spread);
      bool Onward = !Behind.Down;
      if (!Link.Size || Link.Size / Every > DeclaredBudget) {
        Add(To.plus(At, Every, Onward));
        continue;
      }
      // "Every 8 bytes" need not be meant of each element that is copied.
      if (To.Stride != Every && Rank >= FactRank::Treated && Rank != FactRank::Doubtful)
        Carried = FactRank::Spread;
      if (Every % Size) { // Nor is it known where one starts.
        Add(To.plus(At, Every, Onward));
        continue;
      }
      for (; At + int64_t(Size) <= int64_t(Link.Size); At += Every)
        Add(To.plus(At));
    }
  }
  return Changed;
}

/// The float at \p A, if it is one whatever integers are declared there.
ConcreteType GraphBuilder::floatAt(const PendingAccess &A, Trusted What) const {
  if (A.Named.isFloat())
    return A.Named;
  bool Disguised = G.mayBeDisguised(A.Place, A.Size);
  bool Untold = A.Named.kind() == ConcreteType::Anything || (FromSource && !A.Named.isKnown());
  bool AnyKind = Untold && (What != Trusted::Floats || !A.Place.Stride);
  ConcreteType Here = Disguised || AnyKind ? G.typeAt(A.Place, A.Size) : ConcreteType();
  bool IsFloat = Here.isFloat() && (Disguised || Here == G.provenTypeAt(A.Place, A.Size));
  return IsFloat ? Here : ConcreteType();
}

/// Are the \p Size bytes at \p Place inside of a float that is accessed there, or were they?
/// More than one byte may be a number beside the floats of another record.
bool GraphBuilder::mayBePartOfFloat(PointerTarget Place, uint64_t Size) const {
  if (any_of(BytesOfFloats, [&](unsigned N) { return G.find(N) == G.find(Place.Node); }))
    return true;
  bool Found = false;
  for (const auto &[Key, Type] : G.node(Place.Node).Facts) {
    auto [Stride, Offset, FloatSize, Rank, Object] = Key;
    if (Size > 1 && !Type.isFloat() && Rank >= FactRank::Declared)
      return false;
    // Elements of an array in a record, so far as is known, lie over all of its members.
    bool IsExact = Place.Stride ? Stride % Place.Stride == 0 : !Stride;
    if (!Type.isFloat() || Rank != FactRank::Access || FloatSize <= Size || !IsExact)
      continue;
    int64_t Distance = Place.Offset - Offset;
    if (int64_t Every = std::gcd(Stride, Place.Stride))
      Distance = (Distance % Every + Every) % Every;
    Found |= Distance >= 0 && Distance < int64_t(FloatSize);
  }
  return Found;
}

/// Bytes that are computed with are numbers.
static bool isOnlyMoved(const Value *V) {
  return isa<LoadInst, PHINode, SelectInst>(V) &&
         all_of(V->users(), [](const User *U) { return isa<StoreInst, PHINode, SelectInst>(U); });
}

/// Floats that are moved in pieces, as byte by byte: no piece of them is a number, and where
/// they are kept meanwhile, nobody sees that there are floats. What is no byte and is treated
/// as a number is one, in a block of memory that is numbers of both kinds.
bool GraphBuilder::solvePartAccess(const PendingAccess &A, Trusted What) {
  PointerTarget Place = G.normal(A.Place);
  if (A.Size > 4 || !Place.isValid() || isa<Constant>(A.Value))
    return false;
  if (A.Size > 1 &&
      (What != Trusted::All || S.Scalars.typeOf(A.Value).kind() == ConcreteType::Integer))
    return false;
  bool Changed =
      isOnlyMoved(A.Value) && mayBePartOfFloat(Place, A.Size) && S.Scalars.addPartOfFloat(A.Value);
  if (S.Scalars.isPartOfFloat(A.Value) && !mayBePartOfFloat(Place, A.Size)) {
    BytesOfFloats.push_back(Place.Node);
    G.addFact(Place, A.Size, ConcreteType::Unknown, FactRank::Access); // Whatever is declared.
    G.Nodes[Place.Node].Private = false; // More is in it than the facts tell.
    Changed = true;
  }
  return Changed;
}

/// Does the type of the one object that \p Place is in have an integer there, and nothing that is
/// done with that object anything else?
bool GraphBuilder::declaresInteger(PointerTarget Place, uint64_t Size) const {
  const MemoryNode &N = G.node(Place.Node);
  auto Declared = N.Facts.find(keyOfFact(Place, Size, FactRank::Declared));
  return Declared != N.Facts.end() && Declared->second.kind() == ConcreteType::Integer &&
         none_of(N.Facts, [&](const auto &Known) {
           auto [Stride, Offset, FactSize, Rank, Object] = Known.first;
           return Rank == FactRank::Disguise && Object == Place.Object;
         });
}

/// Is \p A about one place in a known object, in which nothing but integers are seen there? What
/// pointers from memory lead to, in the other objects of the node, may have something else there.
bool GraphBuilder::hasOnlyIntegersInObject(const PendingAccess &A) const {
  PointerTarget Place = G.normal(A.Place);
  if (!Place.isValid() || !Place.Object || Place.Stride ||
      (G.mayBeDisguised(Place, A.Size) && !declaresInteger(Place, A.Size)))
    return false;
  return all_of(G.node(Place.Node).Facts, [&](const auto &Known) {
    auto [Stride, Offset, Size, Rank, Object] = Known.first;
    return Object != Place.Object || Rank == FactRank::Doubtful ||
           Known.second.kind() == ConcreteType::Integer ||
           !Distances(Place, placeOfFact(Known.first, Known.second))
                .meets(1 - int64_t(Size), int64_t(A.Size));
  });
}

/// Is an integer loaded from a known object in which nothing else is seen at that very place? By
/// its tag it is no float that pointers from memory lead to, in the other objects of the node:
/// the header of a list has a count where its nodes have their values.
bool GraphBuilder::isIntegerOfObject(const PendingAccess &A) const {
  if (!HasTags || !A.Load || A.Named.kind() != ConcreteType::Integer || !hasOnlyIntegersInObject(A))
    return false;
  PointerTarget Place = G.normal(A.Place);
  return any_of(G.node(Place.Node).Facts, [&](const auto &Known) {
    auto [Stride, Offset, Size, Rank, Object] = Known.first;
    return Object == Place.Object && Rank == FactRank::Member && !Stride &&
           Offset == Place.Offset && Size == A.Size;
  });
}

/// Is one of many elements moved that the source names integers, among members of records that it
/// names pointers and nothing else? An index does not lead from the elements to these.
bool GraphBuilder::isIntegerAmongPointers(const PendingAccess &A) const {
  PointerTarget Place = G.normal(A.Place);
  return HasTags && A.Named.kind() == ConcreteType::Integer && Place.isValid() &&
         (Place.Stride || (A.Step && hasOnlyNamedPointers(A))) && A.Size <= DL.getPointerSize() &&
         !G.targetOf(A.Value).isValid() && !G.mayBeFloat(Place, A.Size) &&
         !G.mayBeDisguised(Place, A.Size) && !G.mayHoldIntegers(Place);
}

/// Is each address that may be where \p A leads at a place of its own, which the source names an
/// address? One that is kept in an integer has no such place.
bool GraphBuilder::hasOnlyNamedPointers(const PendingAccess &A) const {
  PointerTarget Place = G.normal(A.Place);
  return all_of(G.node(Place.Node).Facts, [&](const auto &Known) {
    auto [Stride, Offset, Size, Rank, Object] = Known.first;
    PointerTarget There = placeOfFact(Known.first, Known.second, Place.Node);
    bool MayBePointer = Known.second.kind() == ConcreteType::Pointer || !Known.second.isKnown();
    return !MayBePointer || !Distances(Place, There).meets(1 - int64_t(Size), int64_t(A.Size)) ||
           (!Stride && G.anyCellAt(There, [](const MemoryNode::Cell &Cell) { return Cell.Named; }));
  });
}

/// Does the source say that what is accessed is an integer? Members of a union have no name.
static bool isInteger(ConcreteType Named) { return Named.kind() == ConcreteType::Integer; }

/// May \p N be a local variable that is no record? What LLVM moves out of one by memcpy, it reads
/// in its place: the bits of floats by the name of an integer.
static bool mayBePlainLocal(const MemoryNode &N) {
  return any_of(N.Roots, [](const Value *Root) {
    auto *Local = dyn_cast<AllocaInst>(Root);
    return Local && !Local->getAllocatedType()->isStructTy();
  });
}

/// Is \p A about one place that the source names an integer, over which there are floats only as
/// elements of an array somewhere, by an index of which nobody knows how far it goes? By its name
/// the place is none of them: it is a count in front of the array, or behind it.
bool GraphBuilder::isIntegerBesideElements(const PendingAccess &A) const {
  PointerTarget Place = G.normal(A.Place);
  if (!isInteger(A.Named) || !Place.isValid() || Place.Stride || G.mayBeDisguised(Place, A.Size))
    return false;
  const MemoryNode &N = G.node(Place.Node);
  return !N.Skewed && !mayBePlainLocal(N) && all_of(N.Facts, [&](const auto &Known) {
    auto [Stride, Offset, Size, Rank, Object] = Known.first;
    // Not one that only a copy brings, which may be of all that is here.
    bool IsElement = Stride && N.Facts.contains({Stride, Offset, Size, FactRank::Access, Object});
    return IsElement || Known.second.kind() == ConcreteType::Integer ||
           !Distances(Place, placeOfFact(Known.first, Known.second))
                .meets(1 - int64_t(Size), int64_t(A.Size));
  });
}

/// Is an integer moved that the source names a member of a record, in memory where members of
/// several records are known together only? No float there is in disguise.
bool GraphBuilder::isIntegerMemberAmongOthers(const PendingAccess &A) const {
  PointerTarget Place = G.normal(A.Place);
  if (!A.IsMember || A.Named.kind() != ConcreteType::Integer || !Place.isValid())
    return false;
  const MemoryNode &N = G.node(Place.Node);
  return (Place.Stride || N.Skewed || N.Merged) && !G.targetOf(A.Value).isValid() &&
         !G.mayBeDisguised(Place, A.Size);
}

/// What an object counts in place is a number there, without a tag, too, and wherever it goes.
void GraphBuilder::noteCounts() {
  auto KeyOf = [&](const PendingAccess &A) {
    PointerTarget At = G.normal(A.Place);
    return std::tuple(At.Node, At.Offset, At.Stride, At.Object, At.Onward, A.Size);
  };
  std::map<decltype(KeyOf(IntegerAccesses.front())), SmallVector<const Value *, 4>> Counted;
  for (const PendingAccess &A : IntegerAccesses)
    if (A.Value && isCountedInPlace(A.Value) && hasOnlyIntegersInObject(A))
      Counted[KeyOf(A)];
  if (Counted.empty())
    return;
  for (const PendingAccess &A : IntegerAccesses)
    if (auto It = A.Value ? Counted.find(KeyOf(A)) : Counted.end(); It != Counted.end())
      It->second.push_back(A.Value);
  auto MayBeNumber = [&](const Value *V) { // The end of an arena moves up, too: an address.
    ConcreteType T = S.Scalars.typeOf(V);
    return !T.isFloat() && T.kind() != ConcreteType::Pointer;
  };
  for (auto &[Place, Values] : Counted)
    if (all_of(Values, MayBeNumber))
      for (const Value *V : Values)
        S.Scalars.addEvidence(V, ConcreteType::Integer);
}

bool GraphBuilder::solveIntegerAccess(PendingAccess &A, Trusted What) {
  bool Proven = What == Trusted::Proven || MovedPointers.contains(A.Value);
  WhichFacts Which = {.EachElement = !isInteger(A.Named)};
  ConcreteType Here = What == Trusted::Floats ? floatAt(A, What)
                      : Proven                ? G.provenTypeAt(A.Place, A.Size, Which)
                                              : G.typeAt(A.Place, A.Size, Which);
  bool IsPointer = What != Trusted::Floats && Here.kind() == ConcreteType::Pointer;
  if (IsPointer && isIntegerAmongPointers(A) && hasOnlyNamedPointers(A))
    Here = ConcreteType(); // Whatever is known of these.
  if (Here.isFloat() && isIntegerBesideElements(A))
    Here = ConcreteType::Integer;
  if (What != Trusted::Floats && !Here.isKnown() &&
      (isIntegerOfObject(A) ||
       (What == Trusted::All && (isIntegerAmongPointers(A) || isIntegerMemberAmongOthers(A)))))
    Here = ConcreteType::Integer;
  bool ByLook = Here.kind() == ConcreteType::Pointer && !Proven &&
                G.provenTypeAt(A.Place, A.Size).kind() != ConcreteType::Pointer;
  if (ByLook)
    S.Scalars.addPointerMove(A.Value, ScalarTypes::Place::Unknown, A.Load, A.Store);
  bool Changed = solvePartAccess(A, What);
  Changed |= !ByLook && S.Scalars.addMemoryType(A.Value, Here);
  if (Here.isFloat() && (What == Trusted::Floats || floatAt(A, What) == Here))
    S.Scalars.addFloatSource(A.Value);
  ConcreteType T = S.Scalars.typeOf(A.Value);
  uint64_t Size = T.isFloat() ? floatSize(T.floatType(), DL) : A.Size;
  if (!T.isKnown() || T.kind() == ConcreteType::Anything || A.Size % Size)
    return Changed;
  if (What == Trusted::Floats && !T.isFloat())
    return Changed;
  bool OnlyStated = (T.kind() == ConcreteType::Integer && !S.Scalars.isUsedAsInteger(A.Value)) ||
                    S.Scalars.isPointerByLook(A.Value);
  A.Settled |= What != Trusted::All;
  // Used as a number after this access; at other times a float may be there.
  bool InTurn = !OnlyStated && T.kind() == ConcreteType::Integer && !isInteger(A.Named);
  FactRank Rank = InTurn        ? FactRank::Treated
                  : !OnlyStated ? FactRank::Access
                  : A.Settled   ? FactRank::Member
                                : FactRank::Treated;
  bool Source = T.isFloat() && S.Scalars.isFromFloat(A.Value);
  for (uint64_t At = 0; At != A.Size; At += Size) {
    Changed |= G.addFact(A.Place.plus(At), Size, T, Rank);
    if (Source && (A.MayDisguise || isDeclaredOtherwise(A.Place.plus(At), Size)))
      Changed |= G.addFact(A.Place.plus(At), Size, T, FactRank::Disguise);
  }
  return Changed;
}

/// Carries what is known so far, as far as it goes.
void GraphBuilder::carryAlongCopies() {
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round != CopyRounds; ++Round) {
    Changed = false;
    for (const CopyLink &Link : Copies)
      Changed |= copyFacts(Link);
  }
}

void GraphBuilder::solveFacts(Trusted What) {
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round != CopyRounds; ++Round) {
    Changed = false;
    for (PendingAccess &A : IntegerAccesses)
      Changed |= A.Value && solveIntegerAccess(A, What);
    for (const CopyLink &Link : Copies)
      Changed |= copyFacts(Link);
    for (const CopyLink &Link : NumberMoves)
      Changed |= copyFacts(Link);
  }
}

/// Is an integer or an address declared at this very place, as a member of a record that has a
/// name?
bool GraphBuilder::isDeclaredOtherwise(PointerTarget Place, uint64_t Size) const {
  Place = G.normal(Place);
  if (!FromSource || !Place.isValid())
    return false;
  const MemoryNode &N = G.node(Place.Node);
  // What another object has there says nothing.
  bool IsOneObject = Place.Object || (!N.Skewed && N.Roots.size() < 2);
  auto It = N.Facts.find(keyOfFact(Place, Size, FactRank::Declared));
  return IsOneObject && It != N.Facts.end() && isVoidInDisguise(It->second);
}

/// Of local memory that nothing is declared of: is a float at the very place, too?
bool GraphBuilder::isUntoldUnion(const PendingAccess &A) const {
  const MemoryNode &N = G.node(A.Place.Node);
  return FromSource && !HasTags && !A.Place.Stride && !N.Skewed && N.Roots.size() == 1 &&
         isa<AllocaInst>(N.Roots.front()) && G.mayBeFloat(A.Place, A.Size);
}

/// A float that is accessed where something else is declared.
void GraphBuilder::noteDisguises() {
  for (unsigned Node = 0; Node != G.size(); ++Node) {
    if (!G.isRepresentative(Node))
      continue;
    for (const auto &[Key, Type] : G.Nodes[Node].Facts) { // A map: what is added does not disturb.
      auto [Stride, Offset, Size, Rank, Object] = Key;
      PointerTarget Place = placeOfFact(Key, Type, Node);
      if (Rank == FactRank::Access && Type.isFloat() && isDeclaredOtherwise(Place, Size))
        G.addFact(Place, Size, Type, FactRank::Disguise);
    }
  }
}

void GraphBuilder::deduceTypes() {
  settleToldFacts();
  noteCastAddresses();
  noteDisguises();
  noteCounts();
  noteSmallIntegers();
  solveFacts(Trusted::Floats); // Where they are in disguise, declarations do not count.
  solveFacts(Trusted::Proven);
  S.Scalars.settleIntegers();
  // What is now known not to be a float by any road may be taken for an integer
  // where the program treats it as one. Callers may know better.
  bitEvidence();
  solveFacts(Trusted::All);
  settlePointerMoves();
  for (const PendingAccess &A : IntegerAccesses) { // Whole records are moved with their padding.
    if (!A.Value || isa<Constant>(A.Value))
      continue;
    S.Scalars.addPlace(A.Value, G.isPadding(A.Place, A.Size));
    if (A.Place.isValid() && holdsBoth(A))
      S.Scalars.addPlaceOfBoth(A.Value);
    // Beside a float in a union may be integers that are smaller; pieces of it are declared.
    bool Whole = A.Named.kind() != ConcreteType::Integer;
    if (G.mayBeDisguised(A.Place, A.Size, Whole) || isUntoldUnion(A))
      S.Scalars.addPlaceOfFloats(A.Value);
    if (!isInteger(A.Named))
      S.Scalars.addMove(A.Value, A.Load, A.Store, G.mayBeFloat(A.Place, A.Size));
  }
  noteFloatsAmongPointers();
}

/// Memory that is accessed as a pointer, and is given the bytes of a float or has them
/// taken, as integers: a union. A callee that only sees its pointers moves floats, too.
void GraphBuilder::noteFloatsAmongPointers() {
  for (const PendingAccess &A : IntegerAccesses)
    if (A.Value && S.Scalars.isFloatAndOther(A.Value) &&
        G.typeAt(A.Place, A.Size).kind() == ConcreteType::Pointer)
      G.addFact(A.Place, A.Size, ConcreteType::Unknown, FactRank::Access);
  for (const CopyLink &Link : Copies)
    noteMixedCopy(Link);
}

/// The same for elements of arrays, as records of the library that hold whatever they are given:
/// in one element is a pointer, and where it is in others may be a float.
void GraphBuilder::noteMixedElements(const CopyLink &Link) {
  uint64_t Step = DL.getPointerSize(), Every = G.normal(Link.From).Stride;
  if (Every <= Link.Size || Every != G.normal(Link.To).Stride)
    return; // Whole elements, or of records that are laid out otherwise.
  for (uint64_t At = 0; At + Step <= Link.Size && At < DeclaredBudget; At += Step) {
    PointerTarget Ends[] = {G.normal(Link.From).plus(At), G.normal(Link.To).plus(At)};
    bool IsPointer = any_of(Ends, [&](PointerTarget Place) {
      return G.typeAt(Place, Step).kind() == ConcreteType::Pointer;
    });
    bool MayBeFloat = any_of(Ends, [&](PointerTarget Place) {
      return !G.node(Place.Node).Skewed && G.mayBeFloat(Place, Step);
    });
    if (IsPointer && MayBeFloat)
      for (PointerTarget Place : Ends)
        G.addFact(Place, Step, ConcreteType::Unknown, FactRank::Access);
  }
}

/// A copy that brings floats to where there are pointers, or the other way round: what the
/// place holds is decided when the program runs.
void GraphBuilder::noteMixedCopy(const CopyLink &Link) {
  PointerTarget From = G.normal(Link.From), To = G.normal(Link.To);
  if (!From.isValid() || !To.isValid() || From == To)
    return;
  if (From.Stride || To.Stride)
    return noteMixedElements(Link);
  auto Facts = G.node(From.Node).Facts;
  for (auto &[Key, Type] : Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    int64_t At = Offset - From.Offset;
    if (Stride || At < 0 || At + int64_t(Size) > int64_t(Link.Size) || Rank < FactRank::Declared)
      continue;
    ConcreteType There = G.typeAt(To.plus(At), Size);
    if ((Type.isFloat() && There.kind() == ConcreteType::Pointer) ||
        (Type.kind() == ConcreteType::Pointer && There.isFloat()))
      G.addFact(To.plus(At), Size, ConcreteType::Unknown, FactRank::Access);
  }
}
