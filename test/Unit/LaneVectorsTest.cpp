//===- LaneVectorsTest.cpp - Where the tangents of all lanes are one vector -===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PlanFixture.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Plan/ForwardPlan.h"

using namespace llvm;
using namespace isozyme;

namespace {

class LaneVectorsTest : public PlanFixture {
protected:
  /// A loop over %v, which \p Step computes from %x as %new.
  void parseLoop(StringRef Step) {
    parse(("declare double @sin(double)\n"
           "define double @f(double %x, i64 %n, ptr %p) {\n"
           "entry:\n  br label %loop\n"
           "loop:\n"
           "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
           "  %v = phi double [ %x, %entry ], [ %new, %loop ]\n" +
           Step +
           "\n"
           "  %next = add nuw nsw i64 %i, 1\n"
           "  %more = icmp ult i64 %next, %n\n"
           "  br i1 %more, label %loop, label %done\n"
           "done:\n  ret double %new\n}\n")
              .str());
  }
  bool isVector(unsigned Width, StringRef Text = "forward(dup,const,const)->dup") {
    DiffRequest R = request(Text);
    R.Width = Width;
    ActivityResult Activity = cantFail(analyzeActivity(prepared(), types(), R));
    UnreadMemory Unread(prepared(), R.Args);
    CalleeEffects Effects(FAM);
    CallPlanSet Calls = cantFail(planCalls(prepared(), types(), Activity, R, Unread, Effects));
    auto Plan = cantFail(planForward(prepared(), R, types(), Activity, Calls, Unread, false));
    return Plan->Vectors.contains(*value("new"));
  }
};

TEST_F(LaneVectorsTest, TakesLoopsThatOnlyCompute) {
  parseLoop("  %new = fmul double %v, %x");
  EXPECT_TRUE(isVector(4));
}

TEST_F(LaneVectorsTest, LeavesSingleDerivativesAlone) {
  parseLoop("  %new = fmul double %v, %x");
  EXPECT_FALSE(isVector(1));
}

TEST_F(LaneVectorsTest, LeavesLoopsWithCalls) {
  parseLoop("  %new = call double @sin(double %v)");
  EXPECT_FALSE(isVector(4));
}

TEST_F(LaneVectorsTest, LeavesLoopsThatAccessTangentsInMemory) {
  parseLoop("  %o = load double, ptr %p\n  %new = fmul double %v, %o");
  EXPECT_TRUE(isVector(4));
  EXPECT_FALSE(isVector(4, "forward(dup,const,dup)->dup"));
}

TEST_F(LaneVectorsTest, IsNotForReverseMode) {
  parseLoop("  %new = fmul double %v, %x");
  DiffRequest R = request("reverse(active,const,const)->active");
  R.Width = 4;
  // Whatever is done for the instructions.
  StepPlan Steps;
  Step Rule;
  Rule.Tangent = TangentStep::Rule;
  ValuePlan Tangent;
  Tangent.HasTangent = true;
  for (StringRef Name : {"v", "new"}) {
    Steps.set(*value(Name), Rule);
    Steps.set(static_cast<Value &>(*value(Name)), Tangent);
  }
  EXPECT_FALSE(LaneVectors(prepared(), Steps, R, /*IsReplay=*/false).contains(*value("new")));
  R.Mode = DiffMode::Forward;
  EXPECT_TRUE(LaneVectors(prepared(), Steps, R, /*IsReplay=*/false).contains(*value("new")));
}

} // namespace
