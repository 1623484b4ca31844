//===- StepPlanTest.cpp - Does a step contradict its instruction? ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/StepPlan.h"
#include "PlanFixture.h"

using namespace llvm;

namespace isozyme {
namespace {

class StepPlanTest : public PlanFixture {
protected:
  StepPlanTest() {
    parse(R"(
define double @f(ptr %x, double %y) {
entry:
  %v = load double, ptr %x
  %r = fmul double %v, %y
  store double %r, ptr %x
  ret double %r
}
)");
    Load.Adjoint = AdjointStep::Load;
    Load.Shadow = ShadowReach::Direct;
    Load.Moved = Type::getDoubleTy(Context);
  }
  /// What is wrong with a plan of which \p S is the step of the value called \p Name.
  std::string faultOf(StringRef Name, const Step &S) {
    StepPlan Plan;
    Plan.set(*value(Name), S);
    std::string Text;
    raw_string_ostream OS(Text);
    EXPECT_EQ(Plan.verify(prepared(), OS), !Text.empty());
    return Text;
  }

  Step Load;
};

TEST_F(StepPlanTest, WhatIsNotListedHasNoStep) {
  StepPlan Plan;
  EXPECT_TRUE(Plan.at(*value("v")).isNothing());
  EXPECT_EQ(Plan.of(value("v")).Adjoint, nullptr);
  EXPECT_EQ(Plan.of(value("v")).Shadow, ShadowForm::None);
  EXPECT_EQ(Plan.of(Prepared->function().getArg(0)).Shadow, ShadowForm::Itself);
}

TEST_F(StepPlanTest, ASoundLoad) { EXPECT_EQ(faultOf("v", Load), ""); }

TEST_F(StepPlanTest, ThreadsAddTogetherToWhatOthersAddTo) {
  Step S = Load;
  S.Sum = AdjointSum::PerWarp;
  EXPECT_EQ(faultOf("v", S),
            "%v (load) adds once for a warp what is no load that other threads add to");
  S.Why = StepReason::OtherThreads;
  EXPECT_EQ(faultOf("v", S), "");
  S.Sum = AdjointSum::PerThread;
  EXPECT_EQ(faultOf("v", S), "%v (load) adds to copies of threads, which no target does yet");
  EXPECT_EQ(wordFor(AdjointSum::PerThread), "per thread");
  EXPECT_EQ(wordFor(AdjointSum::PerWarp), "once for a warp");
}

TEST_F(StepPlanTest, AdjointsInMemoryHaveATypeAndAPlace) {
  Step S = Load;
  S.Moved = nullptr;
  EXPECT_EQ(faultOf("v", S), "%v (load) moves adjoints of no type");
  S = Load;
  S.Shadow = ShadowReach::None;
  EXPECT_EQ(faultOf("v", S), "%v (load) moves adjoints in memory without a shadow");
}

TEST_F(StepPlanTest, WhatMayBeLostIsChecked) {
  Step S = Load;
  S.Shadow = ShadowReach::Stopped;
  EXPECT_EQ(faultOf("v", S), "%v (load) may lose a derivative, which nobody checks");
  S.Sweep = SweepStep::Check;
  EXPECT_EQ(faultOf("v", S), "");
  S.Shadow = ShadowReach::Paged;
  EXPECT_EQ(faultOf("v", S), "%v (load) checks what cannot be lost");
}

TEST_F(StepPlanTest, WhatAnInstructionCannotDo) {
  Step S;
  S.Adjoint = AdjointStep::Pass;
  S.Guards = 1;
  EXPECT_EQ(faultOf("r", S), "%r (fmul) guards what is no rule");
  S = Step();
  S.Adjoint = AdjointStep::Rule;
  S.Negated = true;
  EXPECT_EQ(faultOf("r", S), "%r (fmul) negates what is no atomic sum");
  S = Step();
  S.Adjoint = AdjointStep::Pass;
  S.Shadow = ShadowReach::Direct;
  EXPECT_EQ(faultOf("r", S), "%r (fmul) reaches the shadow of no memory");
}

TEST_F(StepPlanTest, OnlyAStoredAddressWaits) {
  Step S = Load;
  S.Waits = true;
  EXPECT_EQ(faultOf("v", S), "%v (load) waits, but stores no address in a shadow that is known");
}

TEST_F(StepPlanTest, WhatSomebodyWantsCalledIsNotTaken) {
  StepPlan Plan;
  Plan.addComputed(*value("r"), {{Op::Cos, 0}, value("v")});
  EXPECT_EQ(Plan.computedFor(*value("r"), {Op::Cos, 0}), value("v"));
  Plan.computed()[value("r")].front().IsTaken = false;
  EXPECT_EQ(Plan.computedFor(*value("r"), {Op::Cos, 0}), nullptr);
  std::string Text;
  raw_string_ostream OS(Text);
  EXPECT_TRUE(Plan.verify(prepared(), OS)); // A load computes no cosine.
  EXPECT_EQ(Text, "%r takes what its rule calls from another function");
}

TEST_F(StepPlanTest, StepsAreThoseOfOneMode) {
  Step S = Load;
  S.Tangent = TangentStep::Load;
  EXPECT_EQ(faultOf("v", S), "%v (load) has steps of two modes");
  S = Step();
  S.Tangent = TangentStep::Load;
  S.Shadow = ShadowReach::Stopped; // Forward mode checks where it loads.
  EXPECT_EQ(faultOf("v", S), "");
}

TEST_F(StepPlanTest, RunsOfBytesCoverTheirPeriod) {
  ByteRuns Runs;
  Runs.Period = 16;
  Runs.Runs.push_back({0, 8, ByteRun::Addresses});
  Runs.Runs.push_back({8, 8, ByteRun::Floats, Type::getDoubleTy(Context)});
  std::string Text;
  raw_string_ostream OS(Text);
  EXPECT_FALSE(Runs.verify(OS));
  Runs.print(OS);
  EXPECT_EQ(Text, "per 16 bytes: 8 of addresses, 8 of double");
  Text.clear();
  Runs.Runs.back().Offset = 4;
  EXPECT_TRUE(Runs.verify(OS));
  EXPECT_EQ(Text, "a run of bytes at 4 follows what ends at 8");
}

} // namespace
} // namespace isozyme
