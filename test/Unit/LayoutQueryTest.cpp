//===- LayoutQueryTest.cpp - What the bytes behind a pointer hold ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PlanFixture.h"
#include "isozyme/Types/MemoryGraph.h"

using namespace llvm;
using namespace isozyme;

namespace {

class LayoutQueryTest : public PlanFixture {
protected:
  std::string layout(const Value *Pointer, uint64_t Size) {
    MemoryLayout L = types().layoutOf(Pointer, Size);
    std::string Text;
    raw_string_ostream OS(Text);
    EXPECT_TRUE(!L.Period || L.verify(OS)) << Text;
    Text.clear();
    L.print(OS);
    return Text;
  }
};

TEST_F(LayoutQueryTest, AnArrayOfRecordsRepeats) {
  parse(R"(
define double @f(ptr %p, i64 %i) {
  %a = getelementptr { double, i64 }, ptr %p, i64 %i, i32 0
  %b = getelementptr { double, i64 }, ptr %p, i64 %i, i32 1
  %x = load double, ptr %a
  %n = load i64, ptr %b
  %m = mul i64 %n, 3
  %y = sitofp i64 %m to double
  %r = fmul double %x, %y
  ret double %r
}
)");
  MemoryLayout L = types().layoutOf(argument(0), 0);
  EXPECT_EQ(L.Period, 16u);
  ASSERT_EQ(L.Runs.size(), 2u);
  EXPECT_TRUE(L.Runs[0].Type.isFloat());
  EXPECT_EQ(L.Runs[1].Type.kind(), ConcreteType::Integer);
  // Of two and a half elements: as long as was asked for.
  EXPECT_EQ(types().layoutOf(argument(0), 40).Period, 40u);
}

TEST_F(LayoutQueryTest, WhatNobodyAccessesIsUnknown) {
  parse(R"(
define double @f(ptr %p) {
  %v = load double, ptr %p
  ret double %v
}
)");
  EXPECT_TRUE(types().layoutOf(argument(0), 8).isComplete());
  MemoryLayout Records = types().layoutOf(argument(0), 12);
  EXPECT_FALSE(Records.Period && Records.uniform().kind() == ConcreteType::Integer);
}

TEST_F(LayoutQueryTest, AMemberIsAskedAboutFromItself) {
  parse(R"(
define double @f(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 8
  %v = load double, ptr %q
  %n = load ptr, ptr %p
  %w = load double, ptr %n
  %r = fadd double %v, %w
  ret double %r
}
)");
  EXPECT_EQ(types().layoutOf(argument(0), 8).uniform().kind(), ConcreteType::Pointer);
  EXPECT_TRUE(types().layoutOf(value("q"), 8).uniform().isFloat());
  EXPECT_EQ(layout(argument(0), 16), "every 16: {0..8 pointer, 8..16 float double}");
}

TEST_F(LayoutQueryTest, FactsThatContradictAreUnknown) {
  parse(R"(
define double @f(ptr %p) {
  %v = load double, ptr %p
  %s = load float, ptr %p
  %e = fpext float %s to double
  %r = fadd double %v, %e
  ret double %r
}
)");
  EXPECT_FALSE(types().layoutOf(argument(0), 4).uniform().isKnown());
}

} // namespace
