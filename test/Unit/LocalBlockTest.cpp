//===- LocalBlockTest.cpp - Which locals share a block --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Tape/LocalBlock.h"
#include "ReversePlanFixture.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace isozyme;

namespace {

class LocalBlockTest : public ReversePlanFixture {
protected:
  /// x goes through two locals of that many numbers, whose addresses somebody else learns.
  void planLocals(unsigned First, unsigned Second) {
    parse(("define void @f(ptr noalias %x, ptr noalias %y, i64 %i, i64 %j) {\n"
           "  %first = alloca [" +
           Twine(First) +
           " x double]\n"
           "  %second = alloca [" +
           Twine(Second) +
           " x double]\n"
           "  %at.first = getelementptr double, ptr %first, i64 %i\n"
           "  %at.second = getelementptr double, ptr %second, i64 %j\n"
           "  %a = load double, ptr %x\n"
           "  store double %a, ptr %at.first\n"
           "  %b = load double, ptr %first\n"
           "  store double %b, ptr %at.second\n"
           "  %c = load double, ptr %second\n"
           "  store double %c, ptr %y\n"
           "  ret void\n}\n")
              .str());
    plan("augment(dup,dup,const,const)->const");
  }
  AllocaInst *local(unsigned Number) {
    for (Instruction &I : instructions(prepared().function()))
      if (auto *A = dyn_cast<AllocaInst>(&I); A && !Number--)
        return A;
    return nullptr;
  }
};

TEST_F(LocalBlockTest, SmallOnesShare) {
  planLocals(2, 3);
  ASSERT_EQ(Plan->Locals.members().size(), 2u);
  EXPECT_EQ(Plan->Locals.bytes(), 48u);
  EXPECT_EQ(Plan->Locals.first(), local(0));
  ASSERT_TRUE(Plan->Locals.find(local(1), Part::Shadow));
  EXPECT_EQ(Plan->Locals.find(local(1), Part::Shadow)->Offset, 16u);
  EXPECT_FALSE(Plan->Locals.find(local(1), Part::Primal));
  EXPECT_EQ(fault(), "");
}

TEST_F(LocalBlockTest, OneThatIsLeftHasItsOwn) {
  planLocals(2, 9);
  EXPECT_TRUE(Plan->Locals.members().empty());
}

TEST_F(LocalBlockTest, TheVerifierFindsLargeOnes) {
  planLocals(2, 9);
  Plan->Locals.add(local(1), Part::Shadow, 1);
  EXPECT_EQ(fault(), "%second shadow shares a block, but is one that is large\n");
}

TEST_F(LocalBlockTest, TheVerifierFindsWhatStaysInItsHalf) {
  planLocals(2, 3);
  Plan->Locals.add(local(1), Part::Primal, 1);
  EXPECT_EQ(fault(), "%second primal shares a block, but is one that does not outlive its half\n");
}

TEST_F(LocalBlockTest, TheVerifierFindsAnEarlierOne) {
  planLocals(2, 3);
  LocalBlock Block;
  Block.add(local(1), Part::Shadow, 1);
  Block.add(local(0), Part::Shadow, 1);
  Plan->Locals = Block;
  EXPECT_EQ(fault(), "%first shadow lies in a block that is made behind it\n");
}

TEST_F(LocalBlockTest, TheVerifierFindsMissingRoom) {
  planLocals(2, 3);
  Plan->Request.Width = 2;
  EXPECT_EQ(fault(), "%second shadow has no room in the block that it shares\n");
}

} // namespace
