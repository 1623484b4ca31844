//===- CarriedSumsTest.cpp - Which adjoints loops add up in registers ------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/CarriedSums.h"
#include "ReversePlanFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class CarriedSumsTest : public ReversePlanFixture {
protected:
  /// y[i] = x[i] * x[i + Distance], for doubles that lie \p Distance bytes apart.
  void planLoop(StringRef Distance, const PlanWishes &Wishes = {}) {
    parse(("define void @f(ptr noalias %x, ptr noalias %y, i64 %n) {\n"
           "entry:\n  br label %for\n"
           "for:\n"
           "  %i = phi i64 [0, %entry], [%next, %for]\n"
           "  %at = getelementptr inbounds double, ptr %x, i64 %i\n"
           "  %after = getelementptr inbounds i8, ptr %at, i64 " +
           Distance +
           "\n"
           "  %here = load double, ptr %at\n"
           "  %right = load double, ptr %after\n"
           "  %product = fmul double %here, %right\n"
           "  %to = getelementptr inbounds double, ptr %y, i64 %i\n"
           "  store double %product, ptr %to\n"
           "  %next = add nuw nsw i64 %i, 1\n"
           "  %more = icmp slt i64 %next, %n\n"
           "  br i1 %more, label %for, label %exit\n"
           "exit:\n  ret void\n}\n")
              .str());
    plan("reverse(dup,dup,const)->const", Wishes);
  }
  LoadInst *load(StringRef Name) { return cast<LoadInst>(value(Name)); }
  /// What is wrong where \p Sum is added to a plan that is sound.
  std::string faultWith(CarriedSum Sum) {
    Plan->Carried = CarriedSums();
    Plan->Carried.add(std::move(Sum));
    return fault();
  }
};

TEST_F(CarriedSumsTest, TheLoadThatIsFurthestBehindEndsTheSumOfALoopThatRises) {
  planLoop("8");
  ASSERT_EQ(Plan->Carried.sums().size(), 1u);
  const CarriedSum &Sum = Plan->Carried.sums().front();
  EXPECT_TRUE(Sum.Rises);
  EXPECT_TRUE(Plan->Rising.contains(Sum.L));
  EXPECT_EQ(Sum.withDelay(0), value("here"));
  EXPECT_EQ(Sum.withDelay(1), value("right"));
  EXPECT_EQ(Sum.furthestAhead(), value("right"));
  EXPECT_EQ(Sum.longestDelay(), 1u);
  EXPECT_EQ(Sum.Step, 8);
  EXPECT_EQ(Plan->Carried.find(*load("here")), &Sum);
  EXPECT_EQ(fault(), "");
}

TEST_F(CarriedSumsTest, AnElementInBetweenIsReadByTheIterationBefore) {
  planLoop("16");
  ASSERT_EQ(Plan->Carried.sums().size(), 1u);
  const CarriedSum &Sum = Plan->Carried.sums().front();
  EXPECT_EQ(Sum.withDelay(0), value("here"));
  EXPECT_EQ(Sum.withDelay(1), nullptr);
  EXPECT_EQ(Sum.withDelay(2), value("right"));
  EXPECT_EQ(Sum.elements(), 2u);
  EXPECT_EQ(Sum.readBefore(1), 1u);
  EXPECT_EQ(Sum.readBefore(2), 0u);
  EXPECT_EQ(fault(), "");
}

TEST_F(CarriedSumsTest, TwoElementsInBetweenAreNotCarried) {
  planLoop("24");
  EXPECT_TRUE(Plan->Carried.sums().empty());
  EXPECT_EQ(Plan->Carried.find(*load("here")), nullptr);
}

TEST_F(CarriedSumsTest, AWishLeavesThemInMemory) {
  PlanWishes Wishes;
  Wishes.Sums["%right"] = {};
  planLoop("8", Wishes);
  EXPECT_TRUE(Plan->Carried.sums().empty());
  ASSERT_EQ(Plan->Carried.left().size(), 1u);
  EXPECT_EQ(Plan->Carried.left().front().withDelay(0), value("right"));
  EXPECT_TRUE(Plan->Refused.empty());
}

TEST_F(CarriedSumsTest, AWishForAnotherLoadIsRefused) {
  PlanWishes Wishes;
  Wishes.Sums["%here"] = {};
  planLoop("8", Wishes);
  EXPECT_EQ(Plan->Carried.sums().size(), 1u);
  ASSERT_EQ(Plan->Refused.size(), 1u);
  EXPECT_EQ(Plan->Refused.front().Why, "no loop can carry a sum that this load ends");
}

TEST_F(CarriedSumsTest, TheVerifierFindsSharesThatGoSomewhereElse) {
  planLoop("8");
  CarriedSum Sum = Plan->Carried.sums().front();
  Sum.Step = -8;
  EXPECT_EQ(faultWith(Sum),
            "loop %for carries adjoints, but is one whose neighbours lie somewhere else\n");
}

TEST_F(CarriedSumsTest, TheVerifierFindsSharesThatWaitInTheOtherDirection) {
  planLoop("8");
  CarriedSum Sum = Plan->Carried.sums().front();
  Sum.Rises = false;
  EXPECT_EQ(faultWith(Sum),
            "loop %for carries adjoints, but is one whose neighbours lie somewhere else\n"
            "loop %for carries adjoints in the other direction than it counts\n");
}

TEST_F(CarriedSumsTest, TheVerifierFindsALoopThatMustNotCountUp) {
  parse("define double @f(ptr %x, i64 %n) {\n"
        "entry:\n  br label %for\n"
        "for:\n"
        "  %i = phi i64 [0, %entry], [%next, %for]\n"
        "  %state = phi double [1.0, %entry], [%product, %for]\n"
        "  %at = getelementptr inbounds double, ptr %x, i64 %i\n"
        "  %here = load double, ptr %at\n"
        "  %product = fmul double %here, %state\n"
        "  %next = add nuw nsw i64 %i, 1\n"
        "  %more = icmp slt i64 %next, %n\n"
        "  br i1 %more, label %for, label %exit\n"
        "exit:\n  ret double %product\n}\n");
  plan("reverse(dup,const)->active");
  EXPECT_EQ(fault(), "");
  Plan->Rising.add({Plan->CFG->loops().front()});
  EXPECT_EQ(fault(), "loop %for counts up, but is one whose iterations hand on an adjoint\n");
}

TEST_F(CarriedSumsTest, TheVerifierMissesALoad) {
  planLoop("8");
  CarriedSum Sum = Plan->Carried.sums().front();
  Sum.Members = {{load("here"), 3}, {load("right"), 0}};
  EXPECT_EQ(faultWith(Sum),
            "loop %for carries adjoints, but is one without a load for each neighbour\n");
}

TEST_F(CarriedSumsTest, TheVerifierFindsAnElementThatChanges) {
  planLoop("8");
  CarriedSum Sum = Plan->Carried.sums().front();
  Sum.Step = 0;
  Sum.Members = {{load("here"), 0}};
  EXPECT_EQ(faultWith(Sum), "loop %for carries adjoints, but is one that reads another element in "
                            "each iteration\n");
}

TEST_F(CarriedSumsTest, TheVerifierFindsASecondSum) {
  planLoop("8");
  CarriedSum Sum = Plan->Carried.sums().front();
  Plan->Carried.add(Sum);
  EXPECT_EQ(fault(), "%here primal is in two sums that are carried\n"
                     "%right primal is in two sums that are carried\n");
}

} // namespace
