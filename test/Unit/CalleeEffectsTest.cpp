//===- CalleeEffectsTest.cpp - What a call may do to memory ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/CalleeEffects.h"
#include "ModuleFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class CalleeEffectsTest : public ModuleFixture {
protected:
  /// May the call that @f makes write to memory that @f sees?
  ModRefInfo effects(const Twine &Functions) {
    read(Functions.str());
    CalleeEffects Effects(FAM);
    return visibleEffects(Effects.of(*callsIn(function("f")).front()));
  }
};

TEST_F(CalleeEffectsTest, KnowsThatArithmeticTouchesNothing) {
  EXPECT_EQ(effects("define double @g(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"
                    "define double @f(double %x) {\n  %r = call double @g(double %x)\n"
                    "  ret double %r\n}\n"),
            ModRefInfo::NoModRef);
}

TEST_F(CalleeEffectsTest, TellsReadsFromWrites) {
  EXPECT_EQ(effects("define double @g(ptr %p) {\n  %y = load double, ptr %p\n  ret double %y\n}\n"
                    "define double @f(ptr %p) {\n  %r = call double @g(ptr %p)\n"
                    "  ret double %r\n}\n"),
            ModRefInfo::Ref);
  EXPECT_TRUE(
      isModSet(effects("define void @g(ptr %p) {\n  store double 1.0, ptr %p\n  ret void\n}\n"
                       "define void @f(ptr %p) {\n  call void @g(ptr %p)\n  ret void\n}\n")));
}

TEST_F(CalleeEffectsTest, LooksThroughCallsOfCallees) {
  EXPECT_FALSE(isModSet(
      effects("define double @h(ptr %p) {\n  %y = load double, ptr %p\n  ret double %y\n}\n"
              "define double @g(ptr %p) {\n  %y = call double @h(ptr %p)\n  ret double %y\n}\n"
              "define double @f(ptr %p) {\n  %r = call double @g(ptr %p)\n  ret double %r\n}\n")));
  EXPECT_TRUE(
      isModSet(effects("define void @h(ptr %p) {\n  store double 1.0, ptr %p\n  ret void\n}\n"
                       "define void @g(ptr %p) {\n  call void @h(ptr %p)\n  ret void\n}\n"
                       "define void @f(ptr %p) {\n  call void @g(ptr %p)\n  ret void\n}\n")));
}

TEST_F(CalleeEffectsTest, BelievesNothingOfWhatItCannotSee) {
  EXPECT_EQ(effects("declare void @g(ptr)\n"
                    "define void @f(ptr %p) {\n  call void @g(ptr %p)\n  ret void\n}\n"),
            ModRefInfo::ModRef);
}

TEST_F(CalleeEffectsTest, IsDoneWithFunctionsThatCallThemselves) {
  EXPECT_TRUE(isModSet(effects(
      "define void @g(ptr %p, i64 %n) {\n"
      "  %last = icmp eq i64 %n, 0\n  br i1 %last, label %end, label %again\n"
      "again:\n  %m = sub i64 %n, 1\n  call void @g(ptr %p, i64 %m)\n  br label %end\n"
      "end:\n  store double 1.0, ptr %p\n  ret void\n}\n"
      "define void @f(ptr %p, i64 %n) {\n  call void @g(ptr %p, i64 %n)\n  ret void\n}\n")));
}

} // namespace
