//===- IndependentLoopsTest.cpp - Which reverse loops are independent -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/IndependentLoops.h"
#include "ReversePlanFixture.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace isozyme;

namespace {

class IndependentLoopsTest : public ReversePlanFixture {
protected:
  /// b[i] = \p Product of a[i] and a[i + \p Distance], as long as \p More holds of it and of i.
  void planProduct(StringRef Distance, StringRef More = "icmp slt i64 %i, 7",
                   StringRef Product = "fmul double %x, %y") {
    parse(("define void @f(ptr noalias %a, ptr noalias %b, i64 %n) {\n"
           "entry:\n  br label %for\n"
           "for:\n"
           "  %i = phi i64 [0, %entry], [%next, %for]\n"
           "  %j = add nsw i64 %i, " +
           Distance +
           "\n"
           "  %at.a = getelementptr inbounds double, ptr %a, i64 %i\n"
           "  %at.j = getelementptr inbounds double, ptr %a, i64 %j\n"
           "  %x = load double, ptr %at.a\n"
           "  %y = load double, ptr %at.j\n"
           "  %p = " +
           Product +
           "\n"
           "  %at.b = getelementptr inbounds double, ptr %b, i64 %i\n"
           "  store double %p, ptr %at.b\n"
           "  %next = add nuw nsw i64 %i, 1\n"
           "  %more = " +
           More +
           "\n"
           "  br i1 %more, label %for, label %exit\n"
           "exit:\n  ret void\n}\n"
           "declare double @llvm.exp.f64(double)\n")
              .str());
    plan("reverse(dup,dup,const)->const");
  }
  bool isIndependent() { return !Plan->Independent.loops().empty(); }
};

TEST_F(IndependentLoopsTest, EightElementsAndTheEightBehindThem) {
  planProduct("8");
  EXPECT_TRUE(isIndependent());
  EXPECT_EQ(fault(), "");
}

TEST_F(IndependentLoopsTest, EightElementsAndTheEightInFrontOfThem) {
  planProduct("-8");
  EXPECT_TRUE(isIndependent());
}

TEST_F(IndependentLoopsTest, TheLastOneMeetsTheFirst) {
  planProduct("7");
  EXPECT_FALSE(isIndependent());
}

TEST_F(IndependentLoopsTest, TheFirstOneMeetsTheLast) {
  planProduct("-7");
  EXPECT_FALSE(isIndependent());
}

TEST_F(IndependentLoopsTest, ADistanceOfWhichNothingIsKnown) {
  planProduct("%n");
  EXPECT_FALSE(isIndependent());
}

TEST_F(IndependentLoopsTest, TheVerifierFindsALoopWhoseTapeGrows) {
  planProduct("8", "fcmp olt double %p, 7.0", "call double @llvm.exp.f64(double %x)");
  EXPECT_FALSE(isIndependent());
  Plan->Independent.add(Plan->CFG->loops().front());
  EXPECT_EQ(fault(), "loop %for is said to touch other memory in each iteration, but is one whose "
                     "iterations make parts of the tape\n");
}

} // namespace
