//===- MemoryGraph.cpp - Joins on the points-to graph ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that keep the graph consistent: nodes are merged by union-find,
// and merging two nodes merges what their cells lead to. Offsets of a place that
// may be any of several are widened to a stride; the gcd of strides only shrinks.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Types/MemoryGraph.h"
#include <numeric>

using namespace llvm;
using namespace isozyme;

static int64_t floorMod(int64_t Value, uint64_t Modulus) {
  int64_t R = Value % int64_t(Modulus);
  return R < 0 ? R + int64_t(Modulus) : R;
}

static PointerTarget normalized(PointerTarget T) {
  T.Onward &= T.Stride != 0;
  if (T.isValid() && T.Stride && !T.Onward)
    T.Offset = floorMod(T.Offset, T.Stride);
  return T;
}

/// No object is so large; such a distance wraps around, and what is there is not known.
static constexpr int64_t Farthest = int64_t(1) << 47;

PointerTarget PointerTarget::plus(int64_t Bytes, uint64_t MoreStride, bool Steps) const {
  if (!isValid())
    return *this;
  if (Bytes > Farthest || Bytes < -Farthest || std::abs(Offset + Bytes) > Farthest)
    return normalized({Node, 0, 1, Object});
  return normalized({Node, Offset + Bytes, std::gcd(Stride, MoreStride), Object,
                     hasFirst() && (Steps || !MoreStride)});
}

Distances::Distances(PointerTarget From, PointerTarget To)
    : At(To.Offset - From.Offset), Every(std::gcd(From.Stride, To.Stride)),
      Down(From.Stride || !To.hasFirst()), Up(To.Stride || !From.hasFirst()) {}

std::optional<int64_t> Distances::notBelow(int64_t Least) const {
  int64_t D = At;
  if (Every)
    D = Least + floorMod(At - Least, Every);
  if (!Down)
    D = std::max(D, At);
  if (D < Least || (!Up && D > At))
    return std::nullopt;
  return D;
}

PointerTarget isozyme::placeOfFact(const MemoryNode::FactKey &Key, const Fact &Known,
                                   unsigned Node) {
  auto [Stride, Offset, Size, Rank, Object] = Key;
  return {Node, Known.First.value_or(Offset), Stride, Object, Stride && Known.First};
}

MemoryNode::FactKey isozyme::keyOfFact(PointerTarget Place, uint64_t Size, FactRank Rank) {
  int64_t Offset = Place.Stride ? floorMod(Place.Offset, Place.Stride) : Place.Offset;
  return {Place.Stride, Offset, Size, Rank, Place.Object};
}

unsigned MemoryGraph::find(unsigned Node) const {
  while (Parents[Node] != Node)
    Node = Parents[Node];
  return Node;
}

unsigned MemoryGraph::find(unsigned Node) {
  while (Parents[Node] != Node) {
    unsigned Parent = Parents[Node];
    if (Parents[Parent] != Parent) {
      Shifts[Node] += Shifts[Parent];
      Parents[Node] = Parents[Parent];
    }
    Node = Parents[Node];
  }
  return Node;
}

PointerTarget MemoryGraph::normal(PointerTarget T) const {
  if (!T.isValid())
    return T;
  for (; Parents[T.Node] != T.Node; T.Node = Parents[T.Node])
    T.Offset += Shifts[T.Node];
  return normalized(T);
}

void MemoryGraph::shortenAll() {
  for (unsigned N = 0; N != size(); ++N) {
    PointerTarget Start = normal({N, 0, 0});
    Parents[N] = Start.Node;
    Shifts[N] = Start.Offset;
  }
}

PointerTarget MemoryGraph::targetOf(const Value *V) const {
  auto It = Targets.find(V);
  return It == Targets.end() ? PointerTarget() : normal(It->second);
}

PointerTarget MemoryGraph::placeOfCell(unsigned Node, const MemoryNode::CellKey &Key) const {
  const MemoryNode &N = Nodes[find(Node)];
  bool Exact = !N.CellModulus || (N.CellStart && Key.first < *N.CellStart);
  return {find(Node), Key.first, Exact ? 0 : N.CellModulus, 0, !Exact && N.CellStart};
}

PointerTarget MemoryGraph::contentOf(PointerTarget Place, StringRef Pointee) const {
  if (!Place.isValid())
    return {};
  Place = normal(Place);
  PointerTarget Result;
  StringRef Name;
  for (const auto &[Key, Cell] : node(Place.Node).Cells) {
    bool Same = Distances(Place, placeOfCell(Place.Node, Key)).meets(0, 1);
    bool Other = !Pointee.empty() && !Cell.Pointee.empty() && Cell.Pointee != Pointee;
    if (!Same || Other || !Cell.Target.isValid())
      continue;
    PointerTarget Content = normal(Cell.Target);
    auto Differs = [&] {
      return Name == Cell.Pointee ? find(Result.Node) != Content.Node : Result != Content;
    };
    if (Result.isValid() && Differs())
      return {};
    Result = Content;
    Name = Cell.Pointee;
  }
  return Result;
}

SmallVector<PointerTarget, 2> MemoryGraph::contentsOf(PointerTarget Place) const {
  SmallVector<PointerTarget, 2> Contents;
  Place = normal(Place);
  for (const auto &[Key, Cell] : node(Place.Node).Cells)
    if (Cell.Target.isValid() && Distances(Place, placeOfCell(Place.Node, Key)).meets(0, 1))
      Contents.push_back(normal(Cell.Target));
  return Contents;
}

bool MemoryGraph::anyCellAt(PointerTarget Place,
                            function_ref<bool(const MemoryNode::Cell &)> Is) const {
  Place = normal(Place);
  return any_of(node(Place.Node).Cells, [&](const auto &Entry) {
    const auto &[Key, Cell] = Entry;
    return Is(Cell) && Distances(Place, placeOfCell(Place.Node, Key)).meets(0, 1);
  });
}

bool MemoryGraph::mayHoldIntegers(PointerTarget Place) const {
  return anyCellAt(Place, [](const MemoryNode::Cell &Cell) { return Cell.mayBeInteger(); });
}

bool MemoryGraph::isStored(PointerTarget Place) const {
  return anyCellAt(Place, [](const MemoryNode::Cell &Cell) { return Cell.Stored; });
}

ArrayRef<CallEffect> MemoryGraph::effectsOf(const CallBase *Call) const {
  auto It = Effects.find(Call);
  return It == Effects.end() ? ArrayRef<CallEffect>() : ArrayRef<CallEffect>(It->second);
}

unsigned MemoryGraph::addNode() {
  Nodes.emplace_back();
  Parents.push_back(Nodes.size() - 1);
  Shifts.push_back(0);
  return Nodes.size() - 1;
}

PointerTarget MemoryGraph::startOf(const Value *Root, unsigned Node) {
  unsigned Number = Objects.size() + 1;
  return normal({Node, 0, 0, Objects.try_emplace(Root, Number).first->second});
}

/// All places that one of two may be, of the same node. A first place that moves down again and
/// again is none.
static PointerTarget joined(PointerTarget Into, PointerTarget From) {
  uint64_t Distance =
      Into.Offset > From.Offset ? Into.Offset - From.Offset : From.Offset - Into.Offset;
  uint64_t Stride = std::gcd(std::gcd(Into.Stride, From.Stride), Distance);
  int64_t First = std::min(Into.Offset, From.Offset);
  bool Falls = Into.Stride && First < Into.Offset;
  return normalized({Into.Node, First, Stride, Into.Object == From.Object ? Into.Object : 0,
                     Into.hasFirst() && From.hasFirst() && !Falls});
}

/// Joins \p From into \p Into, which must not be part of a node: nodes are merged here.
bool MemoryGraph::join(PointerTarget &Into, PointerTarget From) {
  From = normal(From);
  if (!From.isValid())
    return false;
  if (!Into.isValid()) {
    Into = From;
    return true;
  }
  bool Merges = find(Into.Node) != From.Node;
  if (Merges)
    mergeAt(Into, From);
  PointerTarget Before = normal(Into);
  Into = joined(Before, normal(From));
  return Merges || Into != Before;
}

bool MemoryGraph::setTarget(const Value *V, PointerTarget T) {
  if (!T.isValid())
    return false;
  if (!V->getType()->isPointerTy()) // Numbers may lead from one object to another.
    T = T.ofAnyObject();
  bool Changed = join(Targets[V], T);
  drain();
  return Changed;
}

void MemoryGraph::unify(unsigned A, unsigned B) {
  A = find(A), B = find(B);
  Nodes[A].Skewed = true; // How they lie to each other is not known.
  Nodes[A].SkewStep = 1;
  Nodes[A].Answers.clear();
  mergeAt({A, 0, 1}, {B, 0, 1});
  drain();
}

/// Merges the nodes of two places so that these come to lie on each other.
void MemoryGraph::mergeAt(PointerTarget A, PointerTarget B) {
  constexpr int64_t MaxShift = int64_t(1) << 32;
  A = normal(A), B = normal(B);
  if (A.Node == B.Node)
    return;
  int64_t Shift = A.Offset - B.Offset;
  // Any of several places does: as little displacement as possible.
  uint64_t Any = std::gcd(A.hasFirst() ? 0 : A.Stride, B.hasFirst() ? 0 : B.Stride);
  if (Any)
    Shift %= int64_t(Any);
  if (std::abs(Shift) > MaxShift)
    Shift = 0; // Which is as true, and less exact.
  MemoryNode &Moved = Nodes[B.Node];
  Moved.Skewed |= Shift || A.Stride != B.Stride;
  if (Shift || A.Stride != B.Stride)
    Moved.SkewStep = std::gcd(Moved.SkewStep, std::gcd(A.Stride, B.Stride));
  // The older node stays: its number gives a stable order for printing.
  if (A.Node < B.Node)
    mergeInto(A.Node, B.Node, Shift);
  else
    mergeInto(B.Node, A.Node, -Shift);
}

void MemoryGraph::drain() {
  while (!Pending.empty()) {
    auto [Place, Cell] = Pending.pop_back_val();
    joinOneCell(Place, Cell);
  }
}

/// The key in its node of the cell that byte \p Offset belongs to.
static int64_t keyOfCell(const MemoryNode &N, int64_t Offset) {
  if (!N.CellModulus)
    return Offset;
  int64_t Start = N.CellStart.value_or(0);
  if (N.CellStart && Offset < Start)
    return Offset;
  return Start + floorMod(Offset - Start, N.CellModulus);
}

/// \p Type, of the places that \p A is about and those from \p First on, by \p A and \p B.
static Fact joined(const Fact &A, const Fact &B, ConcreteType Type, std::optional<int64_t> First) {
  Fact Both = A.First && First ? Fact(Type, std::min(*A.First, *First)) : Fact(Type);
  Both.OfOne = A.OfOne && B.OfOne;
  return Both;
}

/// \p Known, of the places from \p First on.
static Fact from(Fact Known, std::optional<int64_t> First) {
  Known.First = First;
  return Known;
}

void MemoryGraph::mergeInto(unsigned To, unsigned From, int64_t Shift) {
  MemoryNode Old = std::move(Nodes[From]);
  Nodes[From] = MemoryNode();
  Parents[From] = To;
  Shifts[From] = Shift;
  MemoryNode &N = Nodes[To];
  for (const Value *Root : Old.Roots)
    if (!is_contained(N.Roots, Root))
      N.Roots.push_back(Root);
  N.ObjectSize = N.ObjectSize == Old.ObjectSize && !Shift ? N.ObjectSize : 0;
  N.External |= Old.External;
  N.Merged = true;
  N.Private &= Old.Private;
  N.ToldByCallers &= Old.ToldByCallers;
  N.Disguises |= Old.Disguises;
  N.addUses(Old);
  N.Answers.clear();
  for (const auto &[Key, Known] : Old.Facts) {
    auto [Stride, Offset, Size, Rank, Object] = Key;
    PointerTarget Place = placeOfFact(Key, Known, To).plus(Shift);
    std::optional<int64_t> First;
    if (Place.Onward)
      First = Place.Offset;
    auto [It, New] = N.Facts.try_emplace(keyOfFact(Place, Size, Rank), from(Known, First));
    if (!New)
      It->second = joined(It->second, Known, It->second.join(Known), First);
  }
  std::optional<int64_t> Start = N.CellModulus ? N.CellStart : std::nullopt;
  if (Old.CellModulus && Old.CellStart)
    Start = *Old.CellStart + Shift;
  if (N.CellModulus && Old.CellModulus)
    Start =
        N.CellStart && Old.CellStart ? std::optional(std::min(*N.CellStart, *Start)) : std::nullopt;
  coarsenCells(To, std::gcd(N.CellModulus, Old.CellModulus), Start);
  for (auto &[Key, Cell] : Old.Cells)
    putCell(To, Key.first + Shift, Cell);
}

/// Puts a cell where there may be one already.
void MemoryGraph::putCell(unsigned Node, int64_t Offset, MemoryNode::Cell Cell) {
  int64_t At = keyOfCell(Nodes[Node], Offset);
  bool New = false;
  MemoryNode::Cell &There = cellNamed(Node, At, Cell.Pointee, New);
  if (New)
    There = Cell;
  else
    Pending.push_back({placeOfCell(Node, {At, There.Pointee}), Cell});
}

/// The cell with that key, or that of any pointer if there is one. Makes it if need be, and one of
/// those that are there if any may be meant.
MemoryNode::Cell &MemoryGraph::cellNamed(unsigned Node, int64_t Offset, StringRef Pointee,
                                         bool &New) {
  std::map<MemoryNode::CellKey, MemoryNode::Cell> &Cells = Nodes[Node].Cells;
  auto First = Cells.lower_bound({Offset, StringRef()});
  auto IsHere = [&](auto It) { return It != Cells.end() && It->first.first == Offset; };
  if (IsHere(First) && First->first.second.empty())
    return First->second;
  if (Pointee.empty())
    for (; IsHere(First); First = Cells.erase(First)) {
      Pending.push_back({placeOfCell(Node, First->first), First->second});
      Pending.back().second.Pointee = {};
    }
  auto [It, Made] = Cells.try_emplace({Offset, Pointee});
  It->second.Pointee = Pointee;
  New |= Made;
  return It->second;
}

/// Makes pointers at \p Place one that lead to several places, by name.
bool MemoryGraph::joinNames(PointerTarget Place) {
  bool Differ = Place.isValid() && !contentOf(Place).isValid() && !contentsOf(Place).empty();
  return Differ && joinCell(Place, {});
}

bool MemoryGraph::coarsenCells(unsigned Node, uint64_t Modulus, std::optional<int64_t> Start) {
  MemoryNode &N = Nodes[Node];
  // Pointers nearer to each other than their size overlap: one cell for all.
  Modulus = Modulus && Modulus < 4 ? 1 : Modulus;
  if (Modulus == N.CellModulus && Start == N.CellStart)
    return false;
  N.CellModulus = Modulus;
  N.CellStart = Start;
  std::map<MemoryNode::CellKey, MemoryNode::Cell> Old;
  std::swap(Old, N.Cells);
  for (auto &[Key, Cell] : Old)
    putCell(Node, Key.first, Cell);
  return true;
}

/// The cell at \p Place, made if need be. The reference is valid until the next merge.
MemoryNode::Cell &MemoryGraph::cellAt(PointerTarget Place, StringRef Pointee, bool &Changed) {
  MemoryNode &N = Nodes[Place.Node];
  if (Place.Stride) {
    std::optional<int64_t> Start;
    if (Place.Onward && (!N.CellModulus || N.CellStart))
      Start = N.CellModulus ? std::min(*N.CellStart, Place.Offset) : Place.Offset;
    Changed |= coarsenCells(Place.Node, std::gcd(N.CellModulus, Place.Stride), Start);
  }
  return cellNamed(Place.Node, keyOfCell(N, Place.Offset), Pointee, Changed);
}

/// Joins one cell, leaving others that become one with others to drain().
bool MemoryGraph::joinOneCell(PointerTarget Place, const MemoryNode::Cell &Access) {
  bool Changed = false;
  PointerTarget Content = Access.Target;
  while (true) {
    MemoryNode::Cell &C = cellAt(normal(Place), Access.Pointee, Changed);
    Changed |= (Access.Loaded && !C.Loaded) || (Access.Stored && !C.Stored) ||
               (Access.Named && !C.Named) || (Access.AsInteger && !C.AsInteger);
    C.Loaded |= Access.Loaded;
    C.Stored |= Access.Stored;
    C.Named |= Access.Named;
    C.AsInteger |= Access.AsInteger;
    Content = normal(Content).ofAnyObject();
    if (!Content.isValid())
      return Changed;
    if (!C.Target.isValid() || find(C.Target.Node) == Content.Node)
      return join(C.Target, Content) || Changed;
    Changed = true;
    mergeAt(C.Target, Content); // After which the cell may be elsewhere.
  }
}

bool MemoryGraph::joinCell(PointerTarget Place, const MemoryNode::Cell &Access) {
  if (!Place.isValid())
    return false;
  bool Changed = joinOneCell(Place, Access);
  drain();
  return Changed;
}

bool MemoryGraph::addFact(PointerTarget Place, uint64_t Size, const Fact &T, FactRank Rank) {
  Place = normal(Place);
  if (!Place.isValid() || (T.kind() == ConcreteType::Anything && Rank == FactRank::Access))
    return false;
  MemoryNode &N = Nodes[Place.Node];
  N.Disguises |= Rank == FactRank::Disguise;
  std::optional<int64_t> First;
  if (Place.Onward)
    First = Place.Offset;
  auto [It, New] = N.Facts.try_emplace(keyOfFact(Place, Size, Rank), from(T, First));
  if (New) {
    N.Answers.clear();
    return true;
  }
  ConcreteType Joined = It->second.join(T);
  // What is only declared does not contradict a float in disguise.
  if (!Joined.isKnown() && isStatement(Rank) && (T.isFloat() || It->second.isFloat()) &&
      (isVoidInDisguise(T) || isVoidInDisguise(It->second)) && mayBeDisguised(Place, Size))
    Joined = T.isFloat() ? T : It->second;
  Fact Both = joined(It->second, T, Joined, First);
  if (Both == It->second && Both.First == It->second.First && Both.OfOne == It->second.OfOne)
    return false;
  It->second = Both;
  N.Answers.clear();
  return true;
}
