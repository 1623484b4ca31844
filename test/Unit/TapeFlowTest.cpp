//===- TapeFlowTest.cpp - Which second half a tape is for ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/TapeFlow.h"
#include "ModuleFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class TapeFlowTest : public ModuleFixture {
protected:
  /// Reads @caller with the body \p Body, in which the call %tape is the first half.
  std::optional<bool> makesRecord(const Twine &Body) {
    read(("define double @f(double %x) { ret double %x }\n"
          "declare ptr @__enzyme_augmentfwd(ptr, double)\n"
          "declare void @__enzyme_reverse(ptr, double, double, ptr)\n"
          "declare double @__enzyme_fwdsplit(ptr, double, double, ptr)\n"
          "declare void @elsewhere(ptr)\ndeclare ptr @from.elsewhere()\n"
          "define void @caller(double %x) {\n"
          "  %tape = call ptr @__enzyme_augmentfwd(ptr @f, double %x)\n" +
          Body + "  ret void\n}\n")
             .str());
    TapeFlow Flow(*M, FAM);
    HasBoth = Flow.hasBoth(function("f"));
    return Flow.makesRecord(*cast<CallBase>(valueIn(function("caller"), "tape")));
  }
  static std::string reverse(StringRef Tape) {
    return ("  call void @__enzyme_reverse(ptr @f, double %x, double 1.0, ptr " + Tape + ")\n")
        .str();
  }
  static std::string replay(StringRef Tape) {
    return ("  call double @__enzyme_fwdsplit(ptr @f, double %x, double 1.0, ptr " + Tape + ")\n")
        .str();
  }

  bool HasBoth = false;
};

TEST_F(TapeFlowTest, OneKindAloneIsNoQuestion) {
  EXPECT_EQ(makesRecord(reverse("%tape")), std::nullopt);
  EXPECT_FALSE(HasBoth);
}

TEST_F(TapeFlowTest, TheWayOfTheTapeTells) {
  std::string Other = "  %other = call ptr @__enzyme_augmentfwd(ptr @f, double %x)\n";
  EXPECT_EQ(makesRecord(Other + replay("%tape") + reverse("%other")), true);
  EXPECT_TRUE(HasBoth);
  EXPECT_EQ(makesRecord(Other + reverse("%tape") + replay("%other")), false);
}

TEST_F(TapeFlowTest, VariablesAreSeenThrough) {
  std::string Other = "  %other = call ptr @__enzyme_augmentfwd(ptr @f, double %x)\n";
  std::string Slot = "  %slot = alloca ptr\n  store ptr %tape, ptr %slot\n"
                     "  %read = load ptr, ptr %slot\n";
  EXPECT_EQ(makesRecord(Other + Slot + replay("%read") + reverse("%other")), true);
}

TEST_F(TapeFlowTest, ATapeOutOfSightIsForTheKindThatHasNoneYet) {
  std::string Other = "  %other = call ptr @__enzyme_augmentfwd(ptr @f, double %x)\n";
  std::string Hidden = "  call void @elsewhere(ptr %tape)\n"
                       "  %found = call ptr @from.elsewhere()\n";
  EXPECT_EQ(makesRecord(Other + Hidden + reverse("%other") + replay("%found")), true);
  EXPECT_EQ(makesRecord(Other + Hidden + replay("%other") + reverse("%found")), false);
}

TEST_F(TapeFlowTest, OneTapeForBothIsLeftOpen) {
  EXPECT_EQ(makesRecord(replay("%tape") + reverse("%tape")), std::nullopt);
}

class TapeLeafTest : public ModuleFixture {
protected:
  /// Which of the three pointers that the first half returns in memory is the tape: "unknown", or
  /// an error where the uses in \p Body contradict each other.
  std::string leaf(const Twine &Body) {
    read(("define ptr @f(ptr %p) { ret ptr %p }\n"
          "%pointers = type { ptr, ptr, ptr }\n"
          "declare void @__enzyme_augmentfwd(ptr sret(%pointers), ptr, ptr, ptr)\n"
          "declare void @__enzyme_reverse(ptr, ptr, ptr, ptr)\ndeclare void @elsewhere(ptr)\n"
          "define void @caller(ptr %p) {\n  %result = alloca %pointers\n"
          "  call void @__enzyme_augmentfwd(ptr sret(%pointers) %result, ptr @f, ptr %p, ptr %p)\n"
          "  %at1 = getelementptr i8, ptr %result, i64 8\n  %one = load ptr, ptr %at1\n"
          "  %at2 = getelementptr i8, ptr %result, i64 16\n  %two = load ptr, ptr %at2\n"
          "  %zero = load ptr, ptr %result\n" +
          Body + "  ret void\n}\n")
             .str());
    TapeFlow Flow(*M, FAM);
    auto &First = cast<CallBase>(*std::next(function("caller").getEntryBlock().begin()));
    Expected<std::optional<unsigned>> Leaf = Flow.tapeLeaf(First);
    if (!Leaf) {
      consumeError(Leaf.takeError());
      return "error";
    }
    return *Leaf ? std::to_string(**Leaf) : "unknown";
  }
  static std::string reverse(StringRef Tape) {
    return ("  call void @__enzyme_reverse(ptr @f, ptr %p, ptr %p, ptr " + Tape + ")\n").str();
  }
};

TEST_F(TapeLeafTest, TheMemberThatTheSecondHalfGetsIsTheTape) {
  EXPECT_EQ(leaf(reverse("%zero")), "0");
  EXPECT_EQ(leaf(reverse("%one")), "1");
  EXPECT_EQ(leaf("  %read = load double, ptr %zero\n" + reverse("%two")), "2");
}

TEST_F(TapeLeafTest, WhatIsOutOfSightIsLeftOpen) {
  EXPECT_EQ(leaf("  call void @elsewhere(ptr %two)\n"), "unknown");
  EXPECT_EQ(leaf("  call void @elsewhere(ptr %result)\n" + reverse("%two")), "unknown");
}

TEST_F(TapeLeafTest, ContradictionsAreErrors) {
  EXPECT_EQ(leaf(reverse("%one") + reverse("%two")), "error");
  EXPECT_EQ(leaf("  %read = load double, ptr %zero\n"), "error");
}

} // namespace
