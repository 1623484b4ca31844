//===- MinCut.h - Minimum vertex cut -----------------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_PLAN_KEEP_MINCUT_H
#define ISOZYME_PLAN_KEEP_MINCUT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace isozyme {

/// Finds the cheapest set of nodes that meets every path from a source node to
/// a sink node (Dinic's algorithm on the split graph). A node behind the cut, on
/// the side of the sinks, may have a cost, too. Deterministic: among the cheapest
/// sets the one nearest to the sinks.
class MinCut {
public:
  /// The cost of a node that is never cut where another one can be.
  static constexpr uint64_t Unlimited = ~uint64_t(0) / 4;

  /// Adds a node that costs \p Cost when cut; returns its number.
  unsigned addNode(uint64_t Cost);
  void addEdge(unsigned From, unsigned To);
  void addSource(unsigned Node);
  /// \p Node costs \p Cost when it is not cut, but lies behind the cut.
  void addCostBehind(unsigned Node, uint64_t Cost);
  void addSink(unsigned Node);
  /// The nodes of the cut, in increasing order.
  llvm::SmallVector<unsigned, 8> solve();

private:
  struct Arc {
    unsigned To, Reverse;
    uint64_t Capacity;
  };
  void addArc(unsigned From, unsigned To, uint64_t Capacity);
  bool levels();
  uint64_t augment(unsigned From, uint64_t Limit);
  llvm::SmallVector<bool, 16> reachingSink() const;

  // Vertices: 0 the source, 1 the sink, then 2+2n and 3+2n (in and out of node n).
  llvm::SmallVector<llvm::SmallVector<Arc, 4>, 16> Arcs{2};
  llvm::SmallVector<int, 16> Level;
  llvm::SmallVector<unsigned, 16> NextArc;
};

} // namespace isozyme

#endif
