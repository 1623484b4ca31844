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

using namespace llvm;
using namespace isozyme;

namespace {

class TypeLattice : public ::testing::Test {
protected:
  LLVMContext Context;
  ConcreteType Double = ConcreteType::ofFloat(Type::getDoubleTy(Context));
  ConcreteType Single = ConcreteType::ofFloat(Type::getFloatTy(Context));
  std::vector<ConcreteType> All = {ConcreteType::Unknown, ConcreteType::Integer,
                                   ConcreteType::Pointer, ConcreteType::Anything, Double, Single};

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

} // namespace
