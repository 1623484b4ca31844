//===- OperandTraceTest.cpp - What a marker call's operands are ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/OperandTrace.h"
#include "ModuleFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class OperandTraceTest : public ModuleFixture {
protected:
  /// Reads @caller with the body \p Body, in which %v is what is asked about.
  Value *traced(const Twine &Body) {
    read(("@chosen = internal constant ptr @f\n"
          "@changed = internal global ptr @f\n"
          "@table = constant [2 x ptr] [ptr @f, ptr @g]\n"
          "declare void @elsewhere(ptr)\n"
          "define double @f(double %x) { ret double %x }\n"
          "define double @g(double %x) { ret double %x }\n"
          "define ptr @same(ptr %p) { ret ptr %p }\n"
          "define void @change() { store ptr @g, ptr @changed ret void }\n"
          "define void @caller(i1 %c, i64 %n) {\n" +
          Body + "\n  ret void\n}\n")
             .str());
    return valueIn(function("caller"), "v");
  }
};

TEST_F(OperandTraceTest, ReadsVariablesThatNobodyChanges) {
  EXPECT_EQ(tracedFunction(traced("%v = load ptr, ptr @chosen")), &function("f"));
  EXPECT_TRUE(isNeverWritten(*M->getNamedGlobal("chosen")));
}

TEST_F(OperandTraceTest, DoesNotBelieveVariablesThatAreChanged) {
  EXPECT_EQ(tracedFunction(traced("%v = load ptr, ptr @changed")), nullptr);
  EXPECT_FALSE(isNeverWritten(*M->getNamedGlobal("changed")));
}

TEST_F(OperandTraceTest, ReadsTablesAtAKnownPlaceOnly) {
  Value *Second = traced("%p = getelementptr [2 x ptr], ptr @table, i64 0, i64 1\n"
                         "%v = load ptr, ptr %p");
  EXPECT_EQ(tracedFunction(Second), &function("g"));
  Value *Any = traced("%p = getelementptr [2 x ptr], ptr @table, i64 0, i64 %n\n"
                      "%v = load ptr, ptr %p");
  EXPECT_EQ(tracedFunction(Any), nullptr);
}

TEST_F(OperandTraceTest, FollowsLocalVariablesWithOneWrite) {
  EXPECT_EQ(tracedFunction(traced("%s = alloca ptr\n  store ptr @f, ptr %s\n"
                                  "%v = load ptr, ptr %s")),
            &function("f"));
}

TEST_F(OperandTraceTest, LeavesLocalVariablesWhoseAddressIsKnownElsewhere) {
  EXPECT_EQ(tracedFunction(traced("%s = alloca ptr\n  store ptr @f, ptr %s\n"
                                  "call void @elsewhere(ptr %s)\n%v = load ptr, ptr %s")),
            nullptr);
}

TEST_F(OperandTraceTest, FollowsCallsThatReturnAnArgument) {
  EXPECT_EQ(tracedFunction(traced("%v = call ptr @same(ptr @g)")), &function("g"));
}

TEST_F(OperandTraceTest, AgreesOnSelectsOnlyWhereBothSidesDo) {
  EXPECT_EQ(tracedFunction(traced("%v = select i1 %c, ptr @f, ptr @f")), &function("f"));
  EXPECT_EQ(tracedFunction(traced("%v = select i1 %c, ptr @f, ptr @g")), nullptr);
}

} // namespace
