//===- SymbolNamesTest.cpp - Symbols as the source has them ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/SymbolNames.h"
#include "gtest/gtest.h"

using namespace isozyme;

namespace {

TEST(SymbolNames, ProceduresOfModules) {
  EXPECT_EQ(fortranName("_QMheatmodPheat"), "heat (module heatmod)");
  EXPECT_EQ(fortranName("_QMheatmodPheat.simplified"), "heat (module heatmod)");
  EXPECT_EQ(fortranName("_QMaSbPstep_2"), "step_2 (submodule b, module a)");
}

TEST(SymbolNames, ContainedProcedures) {
  EXPECT_EQ(fortranName("_QMheatmodFheatPstep"), "step (in heat, module heatmod)");
  EXPECT_EQ(fortranName("_QFPcompare"), "compare (the main program)");
  EXPECT_EQ(fortranName("_QQmain"), "the main program");
}

TEST(SymbolNames, OtherSymbols) {
  EXPECT_EQ(fortranName("_ZN3geo4normEd"), "");
  EXPECT_EQ(fortranName("_QMheatmodTstate"), "");
  EXPECT_EQ(fortranName("sin"), "");
  EXPECT_EQ(nameInSource("_ZN3geo4normEd"), "geo::norm(double)");
  EXPECT_EQ(nameInSource("sin"), "sin");
}

} // namespace
