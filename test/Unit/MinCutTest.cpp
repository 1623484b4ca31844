//===- MinCutTest.cpp - The cut is valid, cheapest and deterministic -------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/MinCut.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace isozyme;

namespace {

/// A graph small enough to try every set of nodes. Edges go to higher numbers.
struct Graph {
  std::vector<uint64_t> Costs;
  std::vector<std::pair<unsigned, unsigned>> Edges;
  unsigned Sources = 0, Sinks = 0;   ///< Bit sets.
  std::vector<uint64_t> Behind = {}; ///< Costs of nodes behind the cut.

  bool separates(unsigned Cut) const {
    unsigned Reached = Sources & ~Cut;
    for (bool Grown = true; Grown;) {
      Grown = false;
      for (auto [From, To] : Edges)
        if ((Reached >> From & 1) && !((Reached | Cut) >> To & 1)) {
          Reached |= 1u << To;
          Grown = true;
        }
    }
    return !(Reached & Sinks);
  }
  uint64_t costOf(unsigned Cut) const {
    uint64_t Sum = 0;
    unsigned After = Sinks & ~Cut; // What a sink follows from.
    for (unsigned To = Costs.size(); To-- > 0;)
      for (auto [From, Other] : Edges)
        if (Other == To && (After >> To & 1) && !(Cut >> From & 1))
          After |= 1u << From;
    for (unsigned N = 0; N < Costs.size(); ++N) {
      if (Cut >> N & 1)
        Sum += Costs[N];
      if ((After >> N & 1) && N < Behind.size())
        Sum += Behind[N];
    }
    return Sum;
  }
  uint64_t cheapest() const {
    uint64_t Best = std::numeric_limits<uint64_t>::max();
    for (unsigned Cut = 0; Cut < 1u << Costs.size(); ++Cut)
      if (separates(Cut))
        Best = std::min(Best, costOf(Cut));
    return Best;
  }
  unsigned solve() const {
    MinCut Solver;
    for (uint64_t Cost : Costs)
      Solver.addNode(Cost);
    for (auto [From, To] : Edges)
      Solver.addEdge(From, To);
    for (unsigned N = 0; N < Costs.size(); ++N) {
      if (Sources >> N & 1)
        Solver.addSource(N);
      if (Sinks >> N & 1)
        Solver.addSink(N);
      if (N < Behind.size())
        Solver.addCostBehind(N, Behind[N]);
    }
    unsigned Cut = 0;
    for (unsigned N : Solver.solve())
      Cut |= 1u << N;
    return Cut;
  }
};

Graph randomGraph(std::mt19937 &Random) {
  auto below = [&](unsigned N) { return unsigned(Random() % N); };
  Graph G;
  unsigned Count = 2 + below(8);
  for (unsigned N = 0; N < Count; ++N)
    G.Costs.push_back(1 + below(20));
  for (unsigned To = 1; To < Count; ++To)
    for (unsigned From = 0; From < To; ++From)
      if (below(3) == 0)
        G.Edges.push_back({From, To});
  G.Sources = below(1u << Count);
  G.Sinks = below(1u << Count);
  return G;
}

TEST(MinCutTest, AgreesWithAllSetsOnSmallGraphs) {
  std::mt19937 Random(1);
  for (int Trial = 0; Trial < 500; ++Trial) {
    Graph G = randomGraph(Random);
    unsigned Cut = G.solve();
    ASSERT_TRUE(G.separates(Cut)) << "graph " << Trial;
    ASSERT_EQ(G.costOf(Cut), G.cheapest()) << "graph " << Trial;
  }
}

TEST(MinCutTest, CountsWhatLiesBehindTheCut) {
  std::mt19937 Random(2);
  for (int Trial = 0; Trial < 500; ++Trial) {
    Graph G = randomGraph(Random);
    for (unsigned N = 0; N < G.Costs.size(); ++N)
      G.Behind.push_back(Random() % 8);
    unsigned Cut = G.solve();
    ASSERT_TRUE(G.separates(Cut)) << "graph " << Trial;
    ASSERT_EQ(G.costOf(Cut), G.cheapest()) << "graph " << Trial;
  }
}

TEST(MinCutTest, TakesOneNodeInsteadOfTwo) {
  // 0 -> 1, 0 -> 2, and 1 and 2 are wanted: keep 0.
  Graph G{{8, 8, 8}, {{0, 1}, {0, 2}}, 0b001, 0b110};
  EXPECT_EQ(G.solve(), 0b001u);
}

TEST(MinCutTest, TakesTheCheaperSide) {
  Graph G{{8, 128}, {{0, 1}}, 0b01, 0b10};
  EXPECT_EQ(G.solve(), 0b01u);
  std::swap(G.Costs[0], G.Costs[1]);
  EXPECT_EQ(G.solve(), 0b10u);
}

TEST(MinCutTest, PrefersTheNodeThatIsWantedAtEqualCost) {
  Graph G{{8, 8, 8}, {{0, 1}, {1, 2}}, 0b001, 0b100};
  EXPECT_EQ(G.solve(), 0b100u);
}

TEST(MinCutTest, CutsNothingWithoutNeed) {
  Graph G{{8, 8}, {{0, 1}}, 0b01, 0};
  EXPECT_EQ(G.solve(), 0u);
  G.Sources = 0;
  G.Sinks = 0b10;
  EXPECT_EQ(G.solve(), 0u);
}

TEST(MinCutTest, KeepsWhatIsBothFixedAndWanted) {
  Graph G{{8, 1}, {{0, 1}}, 0b11, 0b11};
  EXPECT_EQ(G.solve(), 0b11u);
}

TEST(MinCutTest, CopesWithLongChains) {
  MinCut Solver;
  constexpr unsigned Length = 20000;
  for (unsigned N = 0; N < Length; ++N)
    Solver.addNode(N == 7 ? 1 : 16);
  for (unsigned N = 1; N < Length; ++N)
    Solver.addEdge(N - 1, N);
  Solver.addSource(0);
  Solver.addSink(Length - 1);
  auto Cut = Solver.solve();
  ASSERT_EQ(Cut.size(), 1u);
  EXPECT_EQ(Cut[0], 7u);
}

} // namespace
