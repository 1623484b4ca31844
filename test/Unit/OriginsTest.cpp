//===- OriginsTest.cpp - Where a value comes from -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/Origins.h"
#include "ModuleFixture.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace isozyme;

namespace {

class OriginsTest : public ModuleFixture {
protected:
  /// What the function \p Name returns.
  const Value *returned(StringRef Name) const {
    return cast<ReturnInst>(function(Name).back().getTerminator())->getReturnValue();
  }
};

bool isLoad(const Value *V) { return isa<LoadInst>(V); }

TEST_F(OriginsTest, ChoicesAreCopiesAndConditionsAreNone) {
  read(R"(
    define ptr @f(ptr %p, i1 %c, ptr %q) {
    entry:
      %cond = load i1, ptr %q
      %v = load ptr, ptr %p
      br label %loop
    loop:
      %phi = phi ptr [ %v, %entry ], [ %chosen, %loop ]
      %frozen = freeze ptr %phi
      %chosen = select i1 %cond, ptr %frozen, ptr %q
      br i1 %c, label %loop, label %done
    done:
      ret ptr %chosen
    }
    define ptr @g(ptr %p, ptr %q) {
      %cond = load i1, ptr %q
      %chosen = select i1 %cond, ptr %p, ptr %q
      ret ptr %chosen
    }
    define ptr @h(ptr %p) {
      %v = load ptr, ptr %p
      %next = getelementptr i8, ptr %v, i64 8
      ret ptr %next
    })");
  EXPECT_TRUE(mayBeCopyOf(returned("f"), isLoad));
  EXPECT_FALSE(mayBeCopyOf(returned("g"), isLoad));
  EXPECT_FALSE(mayBeCopyOf(returned("h"), isLoad));
}

TEST_F(OriginsTest, VariablesThatAreSetOnceAreSeenThrough) {
  read(R"(
    define ptr @once(ptr %p) {
      %x = alloca ptr
      store ptr %p, ptr %x
      %v = load ptr, ptr %x
      ret ptr %v
    }
    define ptr @twice(ptr %p, ptr %q) {
      %x = alloca ptr
      store ptr %p, ptr %x
      store ptr %q, ptr %x
      %v = load ptr, ptr %x
      ret ptr %v
    }
    declare void @sees(ptr)
    define ptr @seen(ptr %p) {
      %x = alloca ptr
      store ptr %p, ptr %x
      call void @sees(ptr %x)
      %v = load ptr, ptr %x
      ret ptr %v
    })");
  EXPECT_EQ(throughVariable(returned("once")), function("once").getArg(0));
  EXPECT_EQ(throughVariable(returned("twice")), returned("twice"));
  EXPECT_EQ(throughVariable(returned("seen")), returned("seen"));
}

TEST_F(OriginsTest, UsesOfMembersAreUsesOfTheObject) {
  read(R"(
    define void @f(ptr %p, i64 %i) {
      %member = getelementptr [4 x double], ptr %p, i64 0, i64 %i
      %other = getelementptr i8, ptr %member, i64 8
      %v = load double, ptr %other
      store double %v, ptr %member
      ret void
    })");
  unsigned Uses = 0;
  auto count = [&](const Use &U) {
    ++Uses;
    return true;
  };
  EXPECT_TRUE(allUsesOf(*function("f").getArg(0), count));
  EXPECT_EQ(Uses, 2u);
  EXPECT_FALSE(
      allUsesOf(*function("f").getArg(0), [](const Use &U) { return isa<LoadInst>(U.getUser()); }));
}

} // namespace
