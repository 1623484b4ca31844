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
  if (T.isValid() && T.Stride)
    T.Offset = floorMod(T.Offset, T.Stride);
  return T;
}

PointerTarget PointerTarget::plus(int64_t Bytes, uint64_t MoreStride) const {
  if (!isValid())
    return *this;
  // No object is so large; such a distance wraps around, and what is there is not known.
  constexpr int64_t Farthest = int64_t(1) << 47;
  if (Bytes > Farthest || Bytes < -Farthest || std::abs(Offset + Bytes) > Farthest)
    return normalized({Node, 0, 1, Object});
  return normalized({Node, Offset + Bytes, std::gcd(Stride, MoreStride), Object});
}

unsigned MemoryGraph::find(unsigned Node) const {
  while (Parents[Node] != Node)
    Node = Parents[Node];
  return Node;
}

unsigned MemoryGraph::find(unsigned Node) {
  while (Parents[Node] != Node)
    Node = Parents[Node] = Parents[Parents[Node]];
  return Node;
}

PointerTarget MemoryGraph::normal(PointerTarget T) const {
  if (T.isValid())
    T.Node = find(T.Node);
  return T;
}

PointerTarget MemoryGraph::targetOf(const Value *V) const {
  auto It = Targets.find(V);
  return It == Targets.end() ? PointerTarget() : normal(It->second);
}

PointerTarget MemoryGraph::contentOf(PointerTarget Place) const {
  if (!Place.isValid())
    return {};
  const MemoryNode &N = node(Place.Node);
  PointerTarget Result;
  for (const auto &[Key, Cell] : N.Cells) {
    uint64_t Modulus = std::gcd(N.CellModulus, Place.Stride);
    bool Same = Modulus ? floorMod(Key - Place.Offset, Modulus) == 0 : Key == Place.Offset;
    if (!Same || !Cell.Target.isValid())
      continue;
    if (Result.isValid() && find(Result.Node) != find(Cell.Target.Node))
      return {}; // Cannot happen for a place that the program accesses: its cell is one.
    Result = normal(Cell.Target);
  }
  return Result;
}

bool MemoryGraph::isStored(PointerTarget Place) const {
  const MemoryNode &N = node(Place.Node);
  uint64_t Modulus = std::gcd(N.CellModulus, Place.Stride);
  return any_of(N.Cells, [&](const auto &Entry) {
    const auto &[Key, Cell] = Entry;
    return Cell.Stored &&
           (Modulus ? floorMod(Key - Place.Offset, Modulus) == 0 : Key == Place.Offset);
  });
}

ArrayRef<CallEffect> MemoryGraph::effectsOf(const CallBase *Call) const {
  auto It = Effects.find(Call);
  return It == Effects.end() ? ArrayRef<CallEffect>() : ArrayRef<CallEffect>(It->second);
}

unsigned MemoryGraph::addNode() {
  Nodes.emplace_back();
  Parents.push_back(Nodes.size() - 1);
  return Nodes.size() - 1;
}

PointerTarget MemoryGraph::startOf(const Value *Root, unsigned Node) {
  unsigned Number = Objects.size() + 1;
  return {Node, 0, 0, Objects.try_emplace(Root, Number).first->second};
}

/// Joins \p From into \p Into, leaving merges of nodes to drain(): the caller
/// may hold references into a node.
bool MemoryGraph::join(PointerTarget &Into, PointerTarget From) {
  From = normal(From);
  if (!From.isValid())
    return false;
  if (!Into.isValid()) {
    Into = normalized(From);
    return true;
  }
  bool Changed = false;
  if (find(Into.Node) != From.Node) {
    Pending.push_back({find(Into.Node), From.Node});
    Nodes[From.Node].Skewed |= Into.Offset != From.Offset || Into.Stride != From.Stride;
    Changed = true;
  }
  uint64_t Distance = Into.Offset > From.Offset ? Into.Offset - From.Offset
                                                : From.Offset - Into.Offset;
  uint64_t Stride = std::gcd(std::gcd(Into.Stride, From.Stride), Distance);
  PointerTarget Joined = normalized(
      {Into.Node, Into.Offset, Stride, Into.Object == From.Object ? Into.Object : 0});
  Changed |= Joined.Stride != Into.Stride || Joined.Offset != Into.Offset ||
             Joined.Object != Into.Object;
  Into = Joined;
  return Changed;
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
  Pending.push_back({A, B});
  Nodes[find(A)].Skewed = true; // How they lie to each other is not known.
  drain();
}

void MemoryGraph::drain() {
  while (!Pending.empty()) {
    auto [A, B] = Pending.pop_back_val();
    A = find(A), B = find(B);
    if (A == B)
      continue;
    // The older node stays: its number gives a stable order for printing.
    mergeInto(std::min(A, B), std::max(A, B));
  }
}

void MemoryGraph::mergeInto(unsigned To, unsigned From) {
  MemoryNode Old = std::move(Nodes[From]);
  Nodes[From] = MemoryNode();
  Parents[From] = To;
  MemoryNode &N = Nodes[To];
  for (const Value *Root : Old.Roots)
    if (!is_contained(N.Roots, Root))
      N.Roots.push_back(Root);
  N.ObjectSize = N.ObjectSize == Old.ObjectSize ? N.ObjectSize : 0;
  N.External |= Old.External;
  N.Opaque |= Old.Opaque;
  N.Skewed |= Old.Skewed;
  N.Merged = true;
  N.Raw |= Old.Raw;
  N.Pieces |= Old.Pieces;
  N.Private &= Old.Private;
  N.Disguises |= Old.Disguises;
  N.ReadsData |= Old.ReadsData;
  N.WritesData |= Old.WritesData;
  N.ReadsPointer |= Old.ReadsPointer;
  N.WritesPointer |= Old.WritesPointer;
  N.Freed |= Old.Freed;
  N.Tape |= Old.Tape;
  N.Answers.clear();
  for (const auto &[Key, Type] : Old.Facts) {
    auto [It, New] = N.Facts.try_emplace(Key, Type);
    if (!New)
      It->second = It->second.join(Type);
  }
  coarsenCells(To, std::gcd(N.CellModulus, Old.CellModulus));
  for (auto &[Offset, Cell] : Old.Cells) {
    int64_t Key = N.CellModulus ? floorMod(Offset, N.CellModulus) : Offset;
    MemoryNode::Cell &Mine = N.Cells[Key];
    join(Mine.Target, Cell.Target);
    Mine.Loaded |= Cell.Loaded;
    Mine.Stored |= Cell.Stored;
  }
}

bool MemoryGraph::coarsenCells(unsigned Node, uint64_t Modulus) {
  MemoryNode &N = Nodes[Node];
  if (Modulus == N.CellModulus)
    return false;
  // Pointers nearer to each other than their size overlap: one cell for all.
  N.CellModulus = Modulus && Modulus < 4 ? 1 : Modulus;
  std::map<int64_t, MemoryNode::Cell> Old;
  std::swap(Old, N.Cells);
  for (auto &[Offset, Cell] : Old) {
    MemoryNode::Cell &Mine = N.Cells[floorMod(Offset, N.CellModulus)];
    join(Mine.Target, Cell.Target);
    Mine.Loaded |= Cell.Loaded;
    Mine.Stored |= Cell.Stored;
  }
  return true;
}

/// The cell at \p Place, made if need be. The reference is valid until the next merge.
MemoryNode::Cell *MemoryGraph::cellAt(PointerTarget Place, bool &Changed) {
  unsigned Node = find(Place.Node);
  if (Place.Stride) {
    Changed |= coarsenCells(Node, std::gcd(Nodes[Node].CellModulus, Place.Stride));
    drain();
    Node = find(Node);
  }
  MemoryNode &N = Nodes[Node];
  int64_t Key = N.CellModulus ? floorMod(Place.Offset, N.CellModulus) : Place.Offset;
  auto [It, New] = N.Cells.try_emplace(Key);
  Changed |= New;
  return &It->second;
}

bool MemoryGraph::joinCell(PointerTarget Place, PointerTarget Content, bool Load, bool Store) {
  if (!Place.isValid())
    return false;
  bool Changed = false;
  MemoryNode::Cell *C = cellAt(Place, Changed);
  Changed |= (Load && !C->Loaded) || (Store && !C->Stored);
  C->Loaded |= Load;
  C->Stored |= Store;
  Changed |= join(C->Target, Content.ofAnyObject());
  drain();
  return Changed;
}

bool MemoryGraph::addFact(PointerTarget Place, uint64_t Size, ConcreteType T, FactRank Rank) {
  Place = normal(Place);
  if (!Place.isValid() || (T.kind() == ConcreteType::Anything && Rank == FactRank::Access))
    return false;
  Nodes[Place.Node].Disguises |= Rank == FactRank::Disguise;
  auto [It, New] =
      Nodes[Place.Node].Facts.try_emplace(
          {Place.Stride, Place.Offset, Size, Rank, Place.Object}, T);
  if (New) {
    Nodes[Place.Node].Answers.clear();
    return true;
  }
  ConcreteType Joined = It->second.join(T);
  // What is only declared does not contradict a float in disguise.
  if (!Joined.isKnown() && isStatement(Rank) && (T.isFloat() || It->second.isFloat()) &&
      (isVoidInDisguise(T) || isVoidInDisguise(It->second)) && mayBeDisguised(Place, Size))
    Joined = T.isFloat() ? T : It->second;
  if (Joined == It->second)
    return false;
  It->second = Joined;
  Nodes[Place.Node].Answers.clear();
  return true;
}
