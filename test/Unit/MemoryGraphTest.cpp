//===- MemoryGraphTest.cpp - Which memory pointers lead to -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Types/MemoryGraph.h"
#include "PlanFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class MemoryGraphTest : public PlanFixture {
protected:
  const MemoryGraph &graph() { return types().memory(); }
  PointerTarget place(StringRef Name) { return graph().targetOf(value(Name)); }
};

TEST(PointerTargetTest, StepsAddUpToTheirDivisor) {
  PointerTarget T = PointerTarget{3, 8, 0}.plus(4);
  EXPECT_EQ(T.Offset, 12);
  EXPECT_EQ(T.Stride, 0u);
  EXPECT_EQ(T.plus(0, 24).plus(0, 16).Stride, 8u);
  EXPECT_TRUE(T.hasFirst());
  EXPECT_FALSE(T.plus(0, 24).hasFirst());
  EXPECT_TRUE(T.plus(0, 24, /*Steps=*/true).hasFirst());
}

TEST(PointerTargetTest, DistancesKnowTheirDirection) {
  PointerTarget One{0, 8, 0};
  Distances Exact(One, One.plus(16));
  EXPECT_TRUE(Exact.meets(16, 17));
  EXPECT_FALSE(Exact.meets(0, 16));
  Distances Onward(One, One.plus(16, 24, /*Steps=*/true));
  EXPECT_TRUE(Onward.meets(40, 41));
  EXPECT_FALSE(Onward.meets(-8, -7)); // That would be a step back.
  EXPECT_TRUE(Distances(One, One.plus(16, 24)).meets(-8, -7));
}

TEST_F(MemoryGraphTest, DifferentObjectsAreDifferentNodes) {
  parse(R"(
define double @f(ptr %p, ptr %q) {
  %a = alloca [4 x double]
  %b = getelementptr i8, ptr %a, i64 16
  %v = load double, ptr %p
  store double %v, ptr %b
  %w = load double, ptr %q
  ret double %w
}
)");
  PointerTarget P = graph().targetOf(argument(0)), Q = graph().targetOf(argument(1));
  ASSERT_TRUE(P.isValid() && Q.isValid());
  EXPECT_NE(graph().find(P.Node), graph().find(Q.Node));
}

TEST_F(MemoryGraphTest, AChoiceJoinsWhatItChoosesFrom) {
  parse(R"(
define double @f(ptr %p, ptr %q, i1 %c) {
  %one = select i1 %c, ptr %p, ptr %q
  %v = load double, ptr %one
  ret double %v
}
)");
  EXPECT_EQ(graph().find(graph().targetOf(argument(0)).Node),
            graph().find(graph().targetOf(argument(1)).Node));
}

TEST_F(MemoryGraphTest, WhatIsStoredIsFoundWhereItIsLoaded) {
  parse(R"(
define double @f(ptr %p, ptr %holder) {
  store ptr %p, ptr %holder
  %again = getelementptr i8, ptr %holder, i64 8
  %other = load ptr, ptr %again
  %v = load double, ptr %other
  ret double %v
}
)");
  PointerTarget Holder = graph().targetOf(argument(1));
  PointerTarget P = graph().targetOf(argument(0));
  EXPECT_TRUE(graph().isStored(Holder));
  EXPECT_FALSE(graph().isStored(Holder.plus(8)));
  EXPECT_EQ(graph().find(graph().contentOf(Holder).Node), graph().find(P.Node));
  EXPECT_NE(graph().find(place("other").Node), graph().find(P.Node));
}

TEST_F(MemoryGraphTest, AVariableIndexIsAPlaceInSteps) {
  parse(R"(
define double @f(ptr %p, i64 %i) {
  %e = getelementptr { double, i64, double }, ptr %p, i64 %i, i32 2
  %v = load double, ptr %e
  ret double %v
}
)");
  PointerTarget E = place("e");
  EXPECT_EQ(E.Stride, 24u);
  EXPECT_EQ(E.Offset, 16);
}

} // namespace
