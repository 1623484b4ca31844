//===- ReverseCFGTest.cpp - The way back through the blocks ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/ReverseCFG.h"
#include "PlanFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class ReverseCFGTest : public PlanFixture {
protected:
  /// Blocks with a call of one of these names have something to do in reverse.
  ReverseCFG reverse(StringRef Callee = "work") const {
    return ReverseCFG(prepared(), [=](const Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      return Call && Call->getCalledFunction()->getName() == Callee;
    });
  }
  ReverseStep step(const ReverseCFG &CFG, StringRef Name) const {
    return CFG.steps().find(block(Name))->second;
  }
};

constexpr char Diamond[] = R"(
  declare void @work()
  declare void @other()
  declare void @third()
  define void @f(i1 %c) {
  entry:
    br i1 %c, label %left, label %right
  left:
    call void @work()
    br label %join
  right:
    call void @third()
    br label %join
  join:
    call void @other()
    ret void
  })";

TEST_F(ReverseCFGTest, ChoosesWhereWaysMeet) {
  parse(Diamond);
  ReverseCFG CFG = reverse();
  EXPECT_EQ(step(CFG, "join").K, ReverseStep::Choose);
  EXPECT_EQ(step(CFG, "left").K, ReverseStep::Single);
  EXPECT_EQ(step(CFG, "left").Target, block("entry"));
  EXPECT_EQ(step(CFG, "entry").K, ReverseStep::End);
  EXPECT_EQ(CFG.steps().size(), 4u);
}

TEST_F(ReverseCFGTest, StepsOverADiamondWithNothingToDo) {
  parse(Diamond);
  ReverseCFG CFG = reverse("other");
  EXPECT_EQ(step(CFG, "join").K, ReverseStep::Skip);
  EXPECT_EQ(step(CFG, "join").Target, block("entry"));
  EXPECT_FALSE(CFG.contains(block("left")));
  EXPECT_FALSE(CFG.contains(block("right")));
}

constexpr char Nest[] = R"(
  declare void @work()
  declare void @other()
  define void @f(i64 %n) {
  entry:
    br label %row
  row:
    %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
    br label %col
  col:
    %j = phi i64 [ 0, %row ], [ %j.next, %col ]
    call void @work()
    %j.next = add nuw nsw i64 %j, 1
    %more = icmp ult i64 %j.next, %n
    br i1 %more, label %col, label %row.end
  row.end:
    call void @other()
    %i.next = add nuw nsw i64 %i, 1
    %again = icmp ult i64 %i.next, %n
    br i1 %again, label %row, label %done
  done:
    ret void
  })";

TEST_F(ReverseCFGTest, RunsLoopsBackwards) {
  parse(Nest);
  ReverseCFG CFG = reverse();
  EXPECT_EQ(CFG.loops().size(), 2u);
  EXPECT_EQ(step(CFG, "col").K, ReverseStep::Loop);
  EXPECT_EQ(step(CFG, "row").K, ReverseStep::Loop);
  EXPECT_EQ(step(CFG, "done").K, ReverseStep::Single);
}

TEST_F(ReverseCFGTest, StepsOverAnInnerLoopWithNothingToDo) {
  parse(Nest);
  ReverseCFG CFG = reverse("other");
  ASSERT_EQ(CFG.loops().size(), 1u);
  EXPECT_EQ(CFG.loops()[0], loopOf("row"));
  EXPECT_EQ(step(CFG, "row.end").K, ReverseStep::Skip);
  EXPECT_EQ(step(CFG, "row.end").Target, block("row"));
}

TEST_F(ReverseCFGTest, StepsOverAWholeNest) {
  parse(Nest);
  ReverseCFG CFG = reverse("nothing");
  EXPECT_TRUE(CFG.loops().empty());
  EXPECT_EQ(step(CFG, "done").K, ReverseStep::Skip);
  EXPECT_EQ(step(CFG, "done").Target, block("entry"));
}

TEST_F(ReverseCFGTest, KnowsWhichLoopsAnEdgeLeaves) {
  parse(Nest);
  auto Left = ReverseCFG::loopsLeft(prepared(), block("col"), block("done"));
  ASSERT_EQ(Left.size(), 2u);
  EXPECT_EQ(Left[0], loopOf("row"));
  EXPECT_EQ(Left[1], loopOf("col"));
  EXPECT_EQ(ReverseCFG::loopsLeft(prepared(), block("col"), block("row.end")).size(), 1u);
  EXPECT_TRUE(ReverseCFG::loopsLeft(prepared(), block("entry"), block("row")).empty());
}

} // namespace
