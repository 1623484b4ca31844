//===- ActivityTest.cpp - What carries a derivative ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PlanFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

using ActivityTest = PlanFixture;

TEST_F(ActivityTest, NeedsBothAnInputAndAnOutput) {
  parse("define double @f(double %x, double %c, ptr %log) {\n"
        "  %y = fmul double %x, %x\n"
        "  %z = fmul double %c, %c\n"
        "  %w = fmul double %x, %c\n"
        "  store double %w, ptr %log\n"
        "  %s = fadd double %y, %z\n"
        "  ret double %s\n}\n");
  ActivityResult A = activity("reverse(active,const,const)->active");
  EXPECT_TRUE(A.isActiveValue(value("y")));
  EXPECT_FALSE(A.isActiveValue(value("z")));
  EXPECT_TRUE(A.isActiveValue(value("s")));
  // It depends on an input, and no output on it.
  EXPECT_FALSE(A.isActiveValue(value("w")));
  EXPECT_TRUE(A.isVaried(value("w")));
  EXPECT_FALSE(A.isVaried(value("z")));
}

TEST_F(ActivityTest, GoesThroughMemoryAndRoundLoops) {
  parse("define double @f(double %x, ptr %buffer, i64 %n) {\n"
        "entry:\n  br label %loop\n"
        "loop:\n"
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
        "  %p = getelementptr double, ptr %buffer, i64 %i\n"
        "  %old = load double, ptr %p\n"
        "  %new = fadd double %old, %x\n"
        "  store double %new, ptr %p\n"
        "  %next = add nuw nsw i64 %i, 1\n"
        "  %more = icmp ult i64 %next, %n\n"
        "  br i1 %more, label %loop, label %done\n"
        "done:\n  %r = load double, ptr %buffer\n  ret double %r\n}\n");
  ActivityResult With = activity("reverse(active,dup,const)->active");
  EXPECT_TRUE(With.isActiveValue(value("old")));
  EXPECT_TRUE(With.isActiveValue(value("p")));
  EXPECT_FALSE(With.isActiveValue(value("more")));
  // Memory without a shadow hands no derivative on.
  ActivityResult Without = activity("reverse(active,const,const)->active");
  EXPECT_FALSE(Without.isActiveValue(value("old")));
  EXPECT_FALSE(Without.isActiveValue(value("p")));
}

TEST_F(ActivityTest, SaysWhy) {
  parse("define double @f(double %x) {\n"
        "  %y = fmul double %x, %x\n"
        "  %z = fadd double %y, 1.0\n"
        "  ret double %z\n}\n");
  ActivityResult A = activity("reverse(active)->active");
  SmallVector<const Value *, 8> Chain = A.chainOf(value("z"));
  EXPECT_EQ(Chain, (SmallVector<const Value *, 8>{value("z"), value("y"), argument(0)}));
}

TEST_F(ActivityTest, ChecksPointersThatMayLeadToEitherMemory) {
  parse("define double @f(ptr %a, ptr %b, i1 %c) {\n"
        "  %p = select i1 %c, ptr %a, ptr %b\n"
        "  %v = load double, ptr %p\n"
        "  ret double %v\n}\n");
  ActivityResult Both = activity("reverse(dup,dup,const)->active");
  EXPECT_EQ(Both.checkOf(value("p")), ShadowCheck::None);
  ActivityResult One = activity("reverse(dup,const,const)->active");
  EXPECT_NE(One.checkOf(value("p")), ShadowCheck::None);
  std::string Why;
  raw_string_ostream OS(Why);
  EXPECT_FALSE(One.verify(OS)) << Why;
}

} // namespace
