//===- PolynomialTest.cpp - Sizes as formulas in variables ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Source/Polynomial.h"
#include "gtest/gtest.h"

using namespace isozyme;

namespace {

const Polynomial n = Polynomial::name("n"), m = Polynomial::name("m"), i = Polynomial::name("i");

TEST(Polynomial, PrintsLongProductsFirstAndEqualOnesOnce) {
  EXPECT_EQ((8 * n + 4 * n * m + Polynomial(3) + 8 * m * n).text(), "12 * m * n + 8 * n + 3");
  EXPECT_EQ((n + Polynomial(-1)).text(), "n - 1");
  EXPECT_EQ((n + n * Polynomial(-1)).text(), "0");
}

TEST(Polynomial, DividesWhatCanBeDivided) {
  Polynomial Rest;
  EXPECT_EQ((56 * i + Polynomial(20)).divide(56, Rest).text(), "i");
  EXPECT_EQ(Rest.text(), "20");
  EXPECT_EQ((8 * i + Polynomial(-8)).divide(8, Rest).text(), "i - 1");
  EXPECT_EQ(Rest.text(), "0");
  EXPECT_EQ((8 * n * m + 16 * n + 8 * i + Polynomial(-8)).divide(8 * n, Rest).text(), "m + 2");
  EXPECT_EQ(Rest.text(), "8 * i - 8");
  EXPECT_EQ((8 * n).divide(n + m, Rest).text(), "0");
  EXPECT_EQ(Rest.text(), "8 * n");
}

/// The sum over i = 1, ..., n of 8 i + 4, for a number n.
TEST(Polynomial, SumsOverACounter) {
  Polynomial Each = 8 * i + Polynomial(4);
  EXPECT_EQ(Each.sumOver("i", 1, 1, n).text(), "4 * n * n + 8 * n");
  int64_t Direct = 0;
  for (int64_t I = 1; I <= 10; ++I)
    Direct += 8 * I + 4;
  EXPECT_EQ(Each.sumOver("i", 1, 1, 10).constant(), Direct);
  // i = n, n - 2, ..., 2
  EXPECT_EQ((8 * i).sumOver("i", 10, -2, 5).constant(), 8 * (10 + 8 + 6 + 4 + 2));
  // Neither is an odd factor divided by two, nor a counter overlooked inside a name.
  EXPECT_EQ((3 * i).sumOver("i", 0, 1, n).text(), "sum(i: 3 * i)");
  EXPECT_EQ(Polynomial::name("max(0, n - i)").sumOver("i", 0, 1, n).text(),
            "sum(i: max(0, n - i))");
}

TEST(Polynomial, KnowsWords) {
  EXPECT_TRUE(hasWord("n - i", "i"));
  EXPECT_FALSE(hasWord("min(n, in)", "i"));
}

} // namespace
