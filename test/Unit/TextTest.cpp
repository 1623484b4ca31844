//===- TextTest.cpp - Expressions as people write them --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Source/Text.h"
#include "gtest/gtest.h"

using namespace isozyme;

static Text name(const char *S) { return {S, BindsCall}; }
static Text product(const char *S) { return {S, BindsProduct}; }
static Text sum(const char *S) { return {S, BindsSum}; }

TEST(Text, SignsComeToTheFrontOfProducts) {
  EXPECT_EQ(productOf(name("a"), {"-b", BindsSign}).S, "-a * b");
  EXPECT_EQ(productOf({"-a", BindsSign}, {"-b", BindsSign}).S, "a * b");
  EXPECT_EQ(tidyProduct(product("a * (b * -c)")).S, "-a * b * c");
  EXPECT_EQ(tidyProduct({"-(-a)", BindsSign}).S, "a");
}

TEST(Text, ProductsInProductsLoseTheirParenthesesAndSumsDoNot) {
  EXPECT_EQ(tidyProduct(product("a * (b * x[i])")).S, "a * b * x[i]");
  EXPECT_EQ(tidyProduct(product("a * (b / c)")).S, "a * b / c");
  EXPECT_EQ(tidyProduct(product("a / (b * c)")).S, "a / (b * c)");
  EXPECT_EQ(productOf(name("a"), sum("b + c")).S, "a * (b + c)");
  EXPECT_EQ(tidyProduct(product("f(a * (b * c)) * d")).S, "f(a * (b * c)) * d");
  EXPECT_EQ(tidyProduct(product("a * (c ? b : d)")).S, "a * (c ? b : d)");
}

TEST(Text, WhatIsAddedWithASignIsSubtracted) {
  EXPECT_EQ(sumOf(name("a"), {"-b", BindsSign}).S, "a - b");
  EXPECT_EQ(sumOf(name("a"), product("-b * c")).S, "a - b * c");
  EXPECT_EQ(sumOf(name("a"), {"-(b + c)", BindsSign}).S, "a - (b + c)");
  EXPECT_EQ(subtracted({"-(a * b)", BindsSign})->S, "a * b");
  EXPECT_FALSE(subtracted(sum("-a + b")));
  EXPECT_FALSE(subtracted(name("a")));
}

TEST(Text, ConditionsStandInParentheses) {
  EXPECT_EQ(choiceOf({"a < b", BindsComparison}, name("c"), name("0")).S, "(a < b) ? c : 0");
  EXPECT_EQ(choiceOf(name("b"), name("c"), name("0")).S, "b ? c : 0");
  EXPECT_EQ(productOf(name("x"), choiceOf(name("b"), name("c"), name("0"))).S, "x * (b ? c : 0)");
}
