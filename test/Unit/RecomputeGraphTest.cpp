//===- RecomputeGraphTest.cpp - How needed values are had again ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Keep/RecomputeGraph.h"
#include "PlanFixture.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Needs/LateStores.h"
#include "isozyme/Needs/UnreadMemory.h"

using namespace llvm;
using namespace isozyme;

namespace {

class RecomputeGraphTest : public PlanFixture {
protected:
  /// The graph for the primal of the value \p Needed, where all calls go by rules.
  void build(StringRef Needed, KeepPolicy Policy = KeepPolicy::Plan) {
    R = request("reverse(dup,const)->active");
    for (CallBase *Call : callsIn(prepared().function()))
      Calls[Call].K = CallPlan::ByRule;
    CalleeEffects Effects(FAM);
    MemoryAvailability Memory(prepared(), R, Calls, UnreadMemory(), LateStores(), Effects);
    StoredValues Stored(prepared(), Memory);
    Needs.insert({primal(Needed), NeedConsumer{"test"}});
    Graph = buildRecomputeGraph({prepared(), R, Calls, Steps, Memory, Stored}, Needs, Policy);
  }
  Need primal(StringRef Name) const { return {value(Name), Part::Primal}; }
  const RecomputeNode &node(StringRef Name) { return Graph.find(primal(Name))->second; }
  bool isKept(StringRef Name) const { return chooseKept(Graph, Needs).contains(primal(Name)); }

  DiffRequest R;
  CallPlanSet Calls;
  StepPlan Steps;
  NeedSet Needs;
  RecomputeGraph Graph;
};

/// A loop over x[i] with \p Body, which computes %y from %v.
std::string loop(StringRef Body) {
  return ("declare double @exp(double)\ndeclare double @llvm.fabs.f64(double)\n"
          "define double @f(ptr %x, i64 %n) {\n"
          "entry:\n  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
          "  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]\n"
          "  %p = getelementptr inbounds double, ptr %x, i64 %i\n"
          "  %v = load double, ptr %p\n" +
          Body +
          "  %sum = fadd double %s, %y\n"
          "  %next = add nuw nsw i64 %i, 1\n"
          "  %more = icmp ult i64 %next, %n\n"
          "  br i1 %more, label %loop, label %done\n"
          "done:\n  ret double %sum\n}\n")
      .str();
}

TEST_F(RecomputeGraphTest, UnchangedMemoryIsReadAgain) {
  parse(loop("  %y = fmul double %v, %v\n"));
  build("y");
  EXPECT_EQ(node("y").K, RecomputeNode::Compute);
  EXPECT_EQ(node("v").K, RecomputeNode::Reload);
  EXPECT_FALSE(isKept("y"));
  EXPECT_FALSE(isKept("v"));
}

TEST_F(RecomputeGraphTest, OverwrittenMemoryIsNot) {
  parse(loop("  store double 1.0, ptr %p\n  %y = fmul double %v, %v\n"));
  build("y");
  EXPECT_EQ(node("v").K, RecomputeNode::Fixed);
  EXPECT_TRUE(isKept("y") || isKept("v"));
}

TEST_F(RecomputeGraphTest, CostsOfFunctionsAreThoseOfTheTable) {
  parse(loop("  %a = call double @llvm.fabs.f64(double %v)\n"
             "  %e = call double @exp(double %a)\n  %y = fdiv double %e, %a\n"));
  build("y");
  EXPECT_FALSE(node("a").Dear);
  EXPECT_TRUE(node("e").Dear);
  EXPECT_GT(node("y").Work, node("a").Work); // A division, and a change of sign.
  EXPECT_GT(node("e").Work, node("y").Work);
  EXPECT_EQ(node("e").Reason, "expensive to compute again");
}

TEST_F(RecomputeGraphTest, NestedTripsCount) {
  parse(loop("  %y = fmul double %v, %v\n"));
  build("y");
  uint64_t InLoop = node("y").Cost;
  EXPECT_GT(InLoop, uint64_t(8)); // More than one slot: it is kept in each iteration.
}

TEST_F(RecomputeGraphTest, WhatIsAskedForIsKept) {
  parse(loop("  %y = fmul double %v, %v\n"));
  build("y", KeepPolicy::Cache);
  EXPECT_EQ(node("y").K, RecomputeNode::Fixed);
  EXPECT_EQ(node("y").Reason, "everything is kept, as asked");
  EXPECT_TRUE(isKept("y"));
}

TEST_F(RecomputeGraphTest, AddressesWithoutShadowAreTheirOwn) {
  parse(loop("  %y = fmul double %v, %v\n"));
  R = request("reverse(dup,const)->active");
  CalleeEffects Effects(FAM);
  MemoryAvailability Memory(prepared(), R, Calls, UnreadMemory(), LateStores(), Effects);
  StoredValues Stored(prepared(), Memory);
  Need Shadow{value("p"), Part::Shadow};
  Needs.insert({Shadow, NeedConsumer{"test"}});
  RecomputeFacts Facts{prepared(), R, Calls, Steps, Memory, Stored};
  Graph = buildRecomputeGraph(Facts, Needs, KeepPolicy::Plan);
  EXPECT_EQ(Graph.find(Shadow)->second.Reason, "the address itself");
  ValuePlan Made;
  Made.Shadow = ShadowForm::Made;
  Steps.set(*value("p"), Made);
  Graph = buildRecomputeGraph(Facts, Needs, KeepPolicy::Plan);
  EXPECT_EQ(Graph.find(Shadow)->second.Reason, "cheap");
}

} // namespace
