//===- TypeLatticeTest.cpp - Joins of types and their layouts -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "isozyme/Types/MemoryGraph.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;
using namespace isozyme;

namespace {

class TypeLattice : public ::testing::Test {
protected:
  LLVMContext Context;
  ConcreteType Double = ConcreteType::ofFloat(Type::getDoubleTy(Context));
  ConcreteType Single = ConcreteType::ofFloat(Type::getFloatTy(Context));
  std::vector<ConcreteType> All = {ConcreteType::Unknown,
                                   ConcreteType::Integer,
                                   ConcreteType::Pointer,
                                   ConcreteType::Anything,
                                   Double,
                                   Single};

  std::string text(const MemoryLayout &L) {
    std::string Text;
    raw_string_ostream OS(Text);
    L.print(OS);
    return Text;
  }
};

TEST_F(TypeLattice, JoinIsASemilattice) {
  for (ConcreteType A : All) {
    EXPECT_EQ(A.join(A), A);
    for (ConcreteType B : All) {
      EXPECT_EQ(A.join(B), B.join(A));
      for (ConcreteType C : All)
        EXPECT_EQ(A.join(B).join(C), A.join(B.join(C)));
    }
  }
}

TEST_F(TypeLattice, AnythingGivesWayAndContradictionsAreUnknown) {
  EXPECT_EQ(Double.join(ConcreteType::Anything), Double);
  EXPECT_EQ(Double.join(Single), ConcreteType(ConcreteType::Unknown));
  EXPECT_EQ(Double.join(ConcreteType::Integer), ConcreteType(ConcreteType::Unknown));
  EXPECT_EQ(Double.join(ConcreteType::Unknown), ConcreteType(ConcreteType::Unknown));
}

TEST_F(TypeLattice, LayoutPrintsAndKnowsItsOneType) {
  MemoryLayout L;
  EXPECT_EQ(text(L), "unknown");
  EXPECT_FALSE(L.uniform().isKnown());
  L.Period = 16;
  L.Runs = {{0, 8, Double}, {8, 8, ConcreteType::Anything}};
  EXPECT_EQ(text(L), "every 16: {0..8 float double, 8..16 anything}");
  EXPECT_EQ(L.uniform(), Double);
  L.Runs[1].Type = ConcreteType::Pointer;
  EXPECT_FALSE(L.uniform().isKnown());
}

TEST_F(TypeLattice, VerifierFindsGapsAndBrokenFloats) {
  std::string Text;
  raw_string_ostream OS(Text);
  MemoryLayout L;
  L.Period = 16;
  L.Runs = {{0, 8, Double}, {8, 8, ConcreteType::Integer}};
  EXPECT_TRUE(L.verify(OS));
  L.Runs[1].Offset = 12;
  EXPECT_FALSE(L.verify(OS));
  L.Runs = {{0, 16, ConcreteType::Integer}};
  L.Period = 24;
  EXPECT_FALSE(L.verify(OS));
  L.Period = 4;
  L.Runs = {{0, 4, Double}};
  EXPECT_FALSE(L.verify(OS));
}

TEST_F(TypeLattice, PlacesMoveModuloTheirStride) {
  PointerTarget Exact{0, 8, 0};
  EXPECT_EQ(Exact.plus(16), (PointerTarget{0, 24, 0}));
  EXPECT_EQ(Exact.plus(0, 24), (PointerTarget{0, 8, 24}));
  EXPECT_EQ(Exact.plus(0, 24).plus(20), (PointerTarget{0, 4, 24}));
  EXPECT_EQ(Exact.plus(0, 24).plus(0, 16), (PointerTarget{0, 0, 8}));
  EXPECT_EQ(Exact.plus(-16, 24), (PointerTarget{0, 16, 24}));
  EXPECT_FALSE(PointerTarget().plus(8).isValid());
}

/// The distances between two lots of places, one by one, as far as they are near.
std::set<int64_t> nearDistances(PointerTarget From, PointerTarget To, int64_t Near) {
  auto Places = [](PointerTarget T) {
    std::vector<int64_t> At;
    constexpr int Many = 60;
    for (int K = T.Stride && !T.Onward ? -Many : 0; K <= (T.Stride ? Many : 0); ++K)
      At.push_back(T.Offset + K * int64_t(T.Stride));
    return At;
  };
  std::set<int64_t> Found;
  for (int64_t A : Places(From))
    for (int64_t B : Places(To))
      if (std::abs(B - A) <= Near)
        Found.insert(B - A);
  return Found;
}

TEST(PointerTargets, DistancesAreThoseOfAllPlaces) {
  constexpr int64_t Near = 20;
  std::vector<PointerTarget> All;
  for (int64_t Offset : {-7, 0, 3, 8})
    for (uint64_t Stride : {0, 2, 3, 8})
      for (bool Onward : {false, true})
        if (Stride || !Onward)
          All.push_back({0, Offset, Stride, 0, Onward});
  for (PointerTarget From : All)
    for (PointerTarget To : All) {
      Distances Computed(From, To);
      std::set<int64_t> Expected = nearDistances(From, To, Near), Found;
      for (auto D = Computed.notBelow(-Near); D && *D <= Near; D = Computed.notBelow(*D + 1))
        Found.insert(*D);
      EXPECT_EQ(Found, Expected) << From.Offset << '+' << From.Stride << From.Onward << ' '
                                 << To.Offset << '+' << To.Stride << To.Onward;
    }
}

TEST(PointerTargets, StepsThatMayGoBackHaveNoFirst) {
  PointerTarget Start{0, 40, 0};
  EXPECT_TRUE(Start.plus(8, 16, true).hasFirst());
  EXPECT_FALSE(Start.plus(8, 16).hasFirst());
  EXPECT_FALSE(Start.plus(0, 24, true).plus(0, 16).hasFirst());
  EXPECT_EQ(Start.plus(0, 24, true).plus(-8, 16, true), (PointerTarget{0, 32, 8, 0, true}));
  EXPECT_EQ(Start.plus(8, 16, true).backAndForth(), (PointerTarget{0, 0, 16}));
}

} // namespace
