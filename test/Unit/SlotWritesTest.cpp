//===- SlotWritesTest.cpp - When kept values are written to the tape ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReversePlanFixture.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace isozyme;

namespace {

class SlotWritesTest : public ReversePlanFixture {
protected:
  /// Each element of u is multiplied with itself: \p Kept is handed on, or loaded.
  void planSquares(StringRef Kept) {
    parse(("define void @f(ptr noalias %u, i64 %n) {\n"
           "entry:\n"
           "  %first = load double, ptr %u\n"
           "  br label %for\n"
           "for:\n"
           "  %i = phi i64 [0, %entry], [%i.next, %for]\n"
           "  %before = phi double [%first, %entry], [%next, %for]\n"
           "  %at = getelementptr inbounds double, ptr %u, i64 %i\n"
           "  %loaded = load double, ptr %at\n"
           "  %square = fmul double " +
           Kept + ", " + Kept +
           "\n"
           "  %i.next = add nuw nsw i64 %i, 1\n"
           "  %at.next = getelementptr inbounds double, ptr %u, i64 %i.next\n"
           "  %next = load double, ptr %at.next\n"
           "  store double %square, ptr %at\n"
           "  %more = icmp slt i64 %i.next, %n\n"
           "  br i1 %more, label %for, label %exit\n"
           "exit:\n  ret void\n}\n")
              .str());
    plan("reverse(dup,const)->const");
    for (auto &[N, D] : Plan->Keep)
      if (D.K == KeepDecision::Cache && N.P == Part::Primal && N.V->getType()->isDoubleTy())
        Write = &D.Write;
  }
  SlotWrite *Write = nullptr; ///< That of what is kept.
};

TEST_F(SlotWritesTest, WhatIsHandedOnIsWrittenWithTheNextOne) {
  planSquares("%before");
  ASSERT_TRUE(Write);
  EXPECT_EQ(*Write, SlotWrite::WithNext);
  EXPECT_EQ(fault(), "");
}

TEST_F(SlotWritesTest, WhatIsLoadedIsWrittenAtOnce) {
  planSquares("%loaded");
  ASSERT_TRUE(Write);
  EXPECT_EQ(*Write, SlotWrite::Each);
}

TEST_F(SlotWritesTest, TheVerifierMissesTheNextOne) {
  planSquares("%loaded");
  ASSERT_TRUE(Write);
  *Write = SlotWrite::WithNext;
  EXPECT_EQ(fault(), "%loaded primal is written behind a next one that there is not\n");
}

TEST_F(SlotWritesTest, TheVerifierMissesTheNeighbourThatWrites) {
  planSquares("%before");
  ASSERT_TRUE(Write);
  *Write = SlotWrite::Never;
  EXPECT_EQ(fault(), "%before primal is left to be written by neighbours, but shares no array\n");
}

} // namespace
