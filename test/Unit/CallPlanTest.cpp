//===- CallPlanTest.cpp - What a derivative does for each call -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/CallPlan.h"
#include "PlanFixture.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Needs/UnreadMemory.h"

using namespace llvm;
using namespace isozyme;

namespace {

class CallPlanTest : public PlanFixture {
protected:
  CallPlan planOf(StringRef Call, StringRef Request) {
    DiffRequest R = request(Request);
    ActivityResult Active = activity(Request);
    CalleeEffects Effects(FAM);
    CallPlanSet Calls =
        cantFail(planCalls(prepared(), types(), Active, R, UnreadMemory(), Effects));
    return Calls.find(cast<CallBase>(value(Call)))->second;
  }
};

constexpr StringLiteral Program = R"(
declare double @sin(double)
declare ptr @malloc(i64)
define double @square(double %x) noinline {
  %y = fmul double %x, %x
  ret double %y
}
define double @f(double %x, double %c) {
  %s = call double @sin(double %x)
  %d = call double @square(double %s)
  %k = call double @square(double %c)
  %sum = fadd double %d, %k
  ret double %sum
}
)";

TEST_F(CallPlanTest, AFunctionOfTheTableGoesByItsRule) {
  parse(Program);
  EXPECT_EQ(planOf("s", "reverse(active,const)->active").K, CallPlan::ByRule);
}

TEST_F(CallPlanTest, AFunctionWithABodyIsAskedForASplitPair) {
  parse(Program);
  CallPlan Plan = planOf("d", "reverse(active,const)->active");
  EXPECT_EQ(Plan.K, CallPlan::Differentiate);
  EXPECT_EQ(Plan.Callee.Fn, &function("square"));
  EXPECT_TRUE(Plan.Callee.isSplit());
  EXPECT_EQ(Plan.Callee.Args[0], ArgActivity::Active);
  EXPECT_EQ(Plan.Callee.Return, ReturnActivity::Active);
  EXPECT_FALSE(Plan.Recursive);
}

TEST_F(CallPlanTest, ForwardModeAsksForForwardDerivatives) {
  parse(Program);
  CallPlan Plan = planOf("d", "forward(dup,const)->dup");
  EXPECT_EQ(Plan.K, CallPlan::Differentiate);
  EXPECT_FALSE(Plan.Callee.isReverse());
}

TEST_F(CallPlanTest, WithoutAnActiveOperandNothingIsDone) {
  parse(Program);
  EXPECT_EQ(planOf("k", "reverse(active,const)->active").K, CallPlan::Inactive);
  EXPECT_EQ(planOf("k", "reverse(active,active)->active").K, CallPlan::Differentiate);
}

TEST_F(CallPlanTest, MemoryForNumbersIsMadeTwice) {
  parse(R"(
declare ptr @malloc(i64)
declare void @free(ptr)
define double @f(double %x, i64 %i) {
  %m = call ptr @malloc(i64 80)
  %p = getelementptr double, ptr %m, i64 %i
  store double %x, ptr %p
  %v = load double, ptr %m
  call void @free(ptr %m)
  ret double %v
}
)");
  EXPECT_EQ(planOf("m", "reverse(active,const)->active").K, CallPlan::Allocate);
}

TEST_F(CallPlanTest, AFunctionThatCallsItselfIsRecursive) {
  parse(R"(
define double @f(double %x, i64 %n) {
entry:
  %done = icmp eq i64 %n, 0
  br i1 %done, label %last, label %more
last:
  ret double %x
more:
  %next = add i64 %n, -1
  %y = fmul double %x, %x
  %r = call double @f(double %y, i64 %next)
  ret double %r
}
)");
  EXPECT_TRUE(planOf("r", "reverse(active,const)->active").Recursive);
}

} // namespace
