//===- ShadowScopesTest.cpp - Which shadows overlap no others --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Steps/ShadowScopes.h"
#include "ReversePlanFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class ShadowScopesTest : public ReversePlanFixture {
protected:
  /// c[0] = a[0] * b[0]
  void planProduct(const PlanWishes &Wishes = {}) {
    parse("define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %c) {\n"
          "  %x = load double, ptr %a\n"
          "  %y = load double, ptr %b\n"
          "  %z = fmul double %x, %y\n"
          "  store double %z, ptr %c\n"
          "  ret void\n}\n");
    plan("reverse(dup,dup,dup)->const", Wishes);
  }
  const ScopesOfAccess &scopesOf(const Instruction *I) { return *Plan->Scopes.of(*I); }
  Instruction *store() { return value("z")->getNextNode(); }
  /// Is the access \p A said to be apart from \p B?
  bool areApart(const Instruction *A, const Instruction *B) {
    return !scopesOf(A).In.test(scopesOf(B).Apart);
  }
};

TEST_F(ShadowScopesTest, WhatIsWrittenIsApartFromWhatIsRead) {
  planProduct();
  EXPECT_TRUE(areApart(value("x"), store()));
  EXPECT_TRUE(areApart(store(), value("y")));
  EXPECT_FALSE(areApart(value("x"), value("y"))); // Two parameters may lead to one array.
  EXPECT_EQ(fault(), "");
}

TEST_F(ShadowScopesTest, AWishSaysNothingOfAShadow) {
  PlanWishes Wishes;
  Wishes.Shadows["%c"] = {};
  planProduct(Wishes);
  EXPECT_FALSE(areApart(value("x"), store()));
  ASSERT_EQ(Plan->Scopes.left().size(), 1u);
  EXPECT_EQ(Plan->Scopes.left().front(), argument(2));
  EXPECT_TRUE(Plan->Refused.empty());
}

TEST_F(ShadowScopesTest, AWishForOneThatMayOverlapIsRefused) {
  PlanWishes Wishes;
  Wishes.Shadows["%a"].IsSecond = true;
  planProduct(Wishes);
  ASSERT_EQ(Plan->Refused.size(), 1u);
  EXPECT_EQ(Plan->Refused.front().Why, "its shadow is not known to be apart from others");
}

TEST_F(ShadowScopesTest, TheVerifierFindsAccessesToOneObjectThatAreApart) {
  planProduct();
  cast<LoadInst>(value("y"))->setOperand(0, argument(2)); // What the plan has not seen.
  EXPECT_EQ(fault(), "store #1 is said to be apart from %y, which leads to %c, too\n\n");
}

TEST_F(ShadowScopesTest, TheVerifierFindsAccessesThatAreNone) {
  planProduct();
  Step Atomic = Plan->Steps.at(*value("x"));
  Atomic.Sum = AdjointSum::Atomic;
  StepPlan Other;
  Other.set(*value("x"), Atomic);
  std::string Text;
  raw_string_ostream OS(Text);
  EXPECT_TRUE(Plan->Scopes.verify(prepared(), Other, OS));
  EXPECT_TRUE(StringRef(Text).starts_with("%x is said to be apart from where it may be\n"));
}

} // namespace
