//===- MinCut.cpp - Minimum vertex cut ------------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dinic's maximum flow: breadth-first levels, then augmenting paths along them.
// A node becomes two vertices joined by an arc of the node's cost; all other
// arcs are unlimited.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/MinCut.h"
#include <algorithm>
#include <limits>

using namespace llvm;

namespace isozyme {

constexpr unsigned SourceVertex = 0, SinkVertex = 1;
static unsigned inOf(unsigned Node) { return 2 + 2 * Node; }
static unsigned outOf(unsigned Node) { return 3 + 2 * Node; }

void MinCut::addArc(unsigned From, unsigned To, uint64_t Capacity) {
  Arcs[From].push_back({To, unsigned(Arcs[To].size()), Capacity});
  Arcs[To].push_back({From, unsigned(Arcs[From].size() - 1), 0});
}

unsigned MinCut::addNode(uint64_t Cost) {
  unsigned Node = (Arcs.size() - 2) / 2;
  Arcs.resize(Arcs.size() + 2);
  addArc(inOf(Node), outOf(Node), Cost);
  return Node;
}

void MinCut::addEdge(unsigned From, unsigned To) { addArc(outOf(From), inOf(To), Unlimited); }
void MinCut::addSource(unsigned Node) { addArc(SourceVertex, inOf(Node), Unlimited); }
void MinCut::addCostBehind(unsigned Node, uint64_t Cost) {
  if (Cost)
    addArc(SourceVertex, inOf(Node), Cost);
}
void MinCut::addSink(unsigned Node) { addArc(outOf(Node), SinkVertex, Unlimited); }

bool MinCut::levels() {
  Level.assign(Arcs.size(), -1);
  Level[SourceVertex] = 0;
  SmallVector<unsigned, 16> Queue = {SourceVertex};
  for (size_t I = 0; I < Queue.size(); ++I)
    for (const Arc &A : Arcs[Queue[I]])
      if (A.Capacity && Level[A.To] < 0) {
        Level[A.To] = Level[Queue[I]] + 1;
        Queue.push_back(A.To);
      }
  return Level[SinkVertex] >= 0;
}

/// Pushes flow along one path of increasing levels, without recursion: derived
/// functions may have chains of many thousand operations.
uint64_t MinCut::augment(unsigned From, uint64_t Limit) {
  SmallVector<std::pair<unsigned, unsigned>, 32> Path; // vertex, arc taken
  unsigned At = From;
  while (At != SinkVertex) {
    unsigned &Next = NextArc[At];
    while (Next < Arcs[At].size() &&
           !(Arcs[At][Next].Capacity && Level[Arcs[At][Next].To] == Level[At] + 1))
      ++Next;
    if (Next < Arcs[At].size()) {
      Path.push_back({At, Next});
      At = Arcs[At][Next].To;
      continue;
    }
    if (Path.empty())
      return 0;
    At = Path.pop_back_val().first; // Dead end: try the next arc of its parent.
    ++NextArc[At];
  }
  uint64_t Flow = Limit;
  for (auto [Vertex, Index] : Path)
    Flow = std::min(Flow, Arcs[Vertex][Index].Capacity);
  for (auto [Vertex, Index] : Path) {
    Arc &A = Arcs[Vertex][Index];
    A.Capacity -= Flow;
    Arcs[A.To][A.Reverse].Capacity += Flow;
  }
  return Flow;
}

SmallVector<bool, 16> MinCut::reachingSink() const {
  SmallVector<bool, 16> Reaches(Arcs.size(), false);
  Reaches[SinkVertex] = true;
  SmallVector<unsigned, 16> Queue = {SinkVertex};
  while (!Queue.empty()) {
    unsigned V = Queue.pop_back_val();
    for (const Arc &Back : Arcs[V]) {
      // The arc Back.To -> V is the partner of Back.
      if (!Reaches[Back.To] && Arcs[Back.To][Back.Reverse].Capacity) {
        Reaches[Back.To] = true;
        Queue.push_back(Back.To);
      }
    }
  }
  return Reaches;
}

SmallVector<unsigned, 8> MinCut::solve() {
  while (levels()) {
    NextArc.assign(Arcs.size(), 0);
    while (augment(SourceVertex, Unlimited))
      ;
  }
  SmallVector<bool, 16> Reaches = reachingSink();
  SmallVector<unsigned, 8> Cut;
  for (unsigned Node = 0; Node < (Arcs.size() - 2) / 2; ++Node)
    if (Reaches[outOf(Node)] && !Reaches[inOf(Node)])
      Cut.push_back(Node);
  return Cut;
}

} // namespace isozyme
