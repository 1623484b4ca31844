//===- SwappedLoopsTest.cpp - Which reverse loops change places -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Order/SwappedLoops.h"
#include "ReversePlanFixture.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace isozyme;

namespace {

class SwappedLoopsTest : public ReversePlanFixture {
protected:
  /// c[j] = sum of a[k] * b[k][j] over k up to \p Most, and what \p Inside does in each iteration.
  void planProduct(StringRef Most, StringRef Inside = "") {
    parse(("define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) {\n"
           "entry:\n  br label %j.for\n"
           "j.for:\n"
           "  %j = phi i64 [0, %entry], [%j.next, %j.end]\n"
           "  %column = getelementptr inbounds double, ptr %b, i64 %j\n"
           "  %first = load double, ptr %column\n"
           "  br label %k.for\n"
           "k.for:\n"
           "  %k = phi i64 [0, %j.for], [%k.next, %k.for]\n"
           "  %s = phi double [0.0, %j.for], [%sum, %k.for]\n"
           "  %at.a = getelementptr inbounds double, ptr %a, i64 %k\n"
           "  %x = load double, ptr %at.a\n"
           "  %row = mul nuw nsw i64 %k, %n\n"
           "  %at.b = getelementptr inbounds double, ptr %column, i64 %row\n"
           "  %y = load double, ptr %at.b\n"
           "  %xy = fmul double %x, %y\n"
           "  %sum = fadd double %s, %xy\n"
           "  %k.next = add nuw nsw i64 %k, 1\n"
           "  %k.more = icmp slt i64 %k.next, " +
           Most +
           "\n"
           "  br i1 %k.more, label %k.for, label %j.end\n"
           "j.end:\n"
           "  %at.c = getelementptr inbounds double, ptr %c, i64 %j\n" +
           (Inside.empty() ? StringRef("  %all = fadd double %sum, 0.0\n") : Inside) +
           "  store double %all, ptr %at.c\n"
           "  %j.next = add nuw nsw i64 %j, 1\n"
           "  %j.more = icmp slt i64 %j.next, %n\n"
           "  br i1 %j.more, label %j.for, label %exit\n"
           "exit:\n  ret void\n}\n")
              .str());
    plan("reverse(dup,dup,dup,const)->const");
  }
  SwappedNest nest() {
    const Loop *Inner = nullptr;
    for (const Loop *L : Plan->CFG->loops())
      if (L->getSubLoops().empty())
        Inner = L;
    return {Inner->getParentLoop(), Inner};
  }
  /// What is wrong where the loops of a sound plan change places.
  std::string faultWhenSwapped() {
    EXPECT_TRUE(Plan->Swapped.nests().empty());
    Plan->Swapped.add(nest());
    return fault();
  }
};

TEST_F(SwappedLoopsTest, TheLoopAlongRowsIsInside) {
  planProduct("%n");
  ASSERT_EQ(Plan->Swapped.nests().size(), 1u);
  EXPECT_TRUE(Plan->Swapped.containsInner(nest().Inner));
  EXPECT_FALSE(Plan->Swapped.containsInner(nest().Outer));
  EXPECT_EQ(fault(), "");
}

TEST_F(SwappedLoopsTest, TheVerifierFindsATriangle) {
  planProduct("%j");
  EXPECT_EQ(faultWhenSwapped(), "loop %k.for changes places with the one around it, but is one "
                                "whose iterations are no rectangle\n");
}

TEST_F(SwappedLoopsTest, TheVerifierFindsWhatTheOuterLoopAdds) {
  planProduct("%n", "  %all = fadd double %sum, %first\n");
  EXPECT_EQ(faultWhenSwapped(), "loop %k.for changes places with the one around it, but is one "
                                "that adds to a shadow outside of the inner one\n");
}

} // namespace
