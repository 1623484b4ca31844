//===- RecordPlanTest.cpp - What a first half writes down ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/RecordPlan.h"
#include "PlanFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class RecordPlanTest : public PlanFixture {
protected:
  RecordPlan plan(bool CalleesKeepNothing = false) {
    return RecordPlan(prepared(), types(), [=](Function &) { return CalleesKeepNothing; });
  }
};

TEST_F(RecordPlanTest, LeavesArithmeticToTheReplay) {
  parse("declare double @sin(double)\n"
        "define double @f(double %x) {\n"
        "  %y = fmul double %x, %x\n  %s = call double @sin(double %y)\n  ret double %s\n}\n");
  EXPECT_TRUE(plan().isEmpty());
  EXPECT_FALSE(plan().isRead());
}

TEST_F(RecordPlanTest, WritesDownWhatIsRead) {
  parse("define double @f(ptr %p) {\n"
        "  %v = load double, ptr %p\n  store double 0.0, ptr %p\n  ret double %v\n}\n");
  RecordPlan Plan = plan();
  EXPECT_EQ(Plan.at(*value("v")), RecordStep::Effect);
  EXPECT_TRUE(Plan.isRead());
}

TEST_F(RecordPlanTest, DoesNotRepeatWritesAndReadsNothingForThem) {
  parse("define void @f(ptr %p, double %x) {\n  store double %x, ptr %p\n  ret void\n}\n");
  EXPECT_FALSE(plan().isEmpty());
  EXPECT_FALSE(plan().isRead());
}

TEST_F(RecordPlanTest, PutsReleasesOff) {
  parse("declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"
        "define double @f(double %x) {\n"
        "  %m = call ptr @malloc(i64 8)\n  store double %x, ptr %m\n"
        "  %v = load double, ptr %m\n  call void @free(ptr %m)\n  ret double %v\n}\n");
  RecordPlan Plan = plan();
  unsigned Releases = 0;
  for (Instruction &I : instructions(prepared().function()))
    Releases += Plan.at(I) == RecordStep::Release;
  EXPECT_EQ(Releases, 1u);
  EXPECT_EQ(Plan.at(*value("m")), RecordStep::Effect);
}

TEST_F(RecordPlanTest, GivesCalleesARecordOnlyIfTheyKeepAnything) {
  parse("define double @g(ptr %p) noinline {\n  %v = load double, ptr %p\n  ret double %v\n}\n"
        "define double @f(ptr %p) {\n  %r = call double @g(ptr %p)\n  ret double %r\n}\n");
  EXPECT_EQ(plan(false).at(*value("r")), RecordStep::Call);
  EXPECT_EQ(plan(true).at(*value("r")), RecordStep::None);
}

} // namespace
