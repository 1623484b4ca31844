//===- MemoryAvailabilityTest.cpp - Which loads can be repeated ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/MemoryAvailability.h"
#include "PlanFixture.h"
#include "isozyme/Needs/CalleeEffects.h"

using namespace llvm;
using namespace isozyme;

namespace {

class MemoryAvailabilityTest : public PlanFixture {
protected:
  ReloadReason reasonFor(StringRef Load, StringRef Request) {
    CallPlanSet NoCalls;
    CalleeEffects Effects(FAM);
    MemoryAvailability Memory(prepared(), request(Request), NoCalls, UnreadMemory(), LateStores(),
                              Effects);
    auto *L = dyn_cast_or_null<LoadInst>(value(Load));
    if (!L) {
      ADD_FAILURE() << "no load is called " << Load.str();
      return ReloadReason::Volatile;
    }
    return Memory.of(*L).Reason;
  }
};

TEST_F(MemoryAvailabilityTest, AWriteBeforeTheLoadDoesNotMatter) {
  parse(R"(
    define double @f(ptr %p, ptr %q) {
      store double 1.0, ptr %p
      store double 2.0, ptr %q
      %v = load double, ptr %p
      ret double %v
    })");
  EXPECT_EQ(reasonFor("v", "reverse(dup, dup) -> active"), ReloadReason::NeverOverwritten);
}

TEST_F(MemoryAvailabilityTest, AWriteAfterTheLoadDoes) {
  parse(R"(
    define double @f(ptr %p, ptr noalias %q) {
      %v = load double, ptr %p
      %w = load double, ptr %q
      store double 1.0, ptr %p
      %s = fadd double %v, %w
      ret double %s
    })");
  EXPECT_EQ(reasonFor("v", "reverse(dup, dup) -> active"), ReloadReason::OverwrittenBy);
  EXPECT_EQ(reasonFor("w", "reverse(dup, dup) -> active"), ReloadReason::NeverOverwritten);
}

/// A load of p[0], then stores to p[1], p[2], ..., and \p Last.
static std::string manyStores(unsigned Count, StringRef Last) {
  std::string S = "define double @f(ptr %p) {\n  %v = load double, ptr %p\n";
  for (unsigned I = 1; I <= Count; ++I)
    S += "  %p" + std::to_string(I) + " = getelementptr double, ptr %p, i64 " + std::to_string(I) +
         "\n  store double 1.0, ptr %p" + std::to_string(I) + "\n";
  return S + Last.str() + "  ret double %v\n}\n";
}

TEST_F(MemoryAvailabilityTest, ManyWritesBesideItDoNotMatter) {
  parse(manyStores(6000, ""));
  EXPECT_EQ(reasonFor("v", "reverse(dup) -> active"), ReloadReason::NeverOverwritten);
}

TEST_F(MemoryAvailabilityTest, OneOfManyWritesThatOverlapsDoes) {
  parse(manyStores(6000, "  %q = getelementptr i8, ptr %p, i64 4\n  store i64 0, ptr %q\n"));
  EXPECT_EQ(reasonFor("v", "reverse(dup) -> active"), ReloadReason::OverwrittenBy);
}

TEST_F(MemoryAvailabilityTest, AnUnknownFunctionMayWriteWhatItCanReach) {
  parse(R"(
    declare void @unknown()
    define double @f(ptr %p, i64 %i) {
      %a = alloca [4 x double]
      %b = getelementptr double, ptr %a, i64 %i
      store double 2.0, ptr %a
      store double 3.0, ptr %b
      %v = load double, ptr %p
      %w = load double, ptr %a
      call void @unknown()
      %s = fadd double %v, %w
      ret double %s
    })");
  EXPECT_EQ(reasonFor("v", "reverse(dup, const) -> active"), ReloadReason::OverwrittenBy);
  EXPECT_EQ(reasonFor("w", "reverse(dup, const) -> active"), ReloadReason::NeverOverwritten);
}

TEST_F(MemoryAvailabilityTest, ConstantTablesCanAlwaysBeRead) {
  parse(R"(
    @table = constant [2 x double] [double 1.0, double 2.0]
    declare void @unknown()
    define double @f(i64 %i) {
      %p = getelementptr [2 x double], ptr @table, i64 0, i64 %i
      %v = load double, ptr %p
      call void @unknown()
      ret double %v
    })");
  EXPECT_EQ(reasonFor("v", "reverse(const) -> const"), ReloadReason::ConstantMemory);
}

TEST_F(MemoryAvailabilityTest, VolatileLoadsAreNotRepeated) {
  parse(R"(
    define double @f(ptr %p) {
      %v = load volatile double, ptr %p
      ret double %v
    })");
  EXPECT_EQ(reasonFor("v", "reverse(dup) -> active"), ReloadReason::Volatile);
}

/// The loop stores at byte \p Offset of record i, and loads at byte 0.
std::string loopOverRecords(StringRef Offset, StringRef Size) {
  return ("define void @f(ptr %x, i64 %n) {\n"
          "entry:\n"
          "  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n"
          "  %at = getelementptr [" +
          Size +
          " x i8], ptr %x, i64 %i\n"
          "  %v = load double, ptr %at\n"
          "  %to = getelementptr i8, ptr %at, i64 " +
          Offset +
          "\n"
          "  store double %v, ptr %to\n"
          "  %i.next = add nuw nsw i64 %i, 1\n"
          "  %more = icmp ult i64 %i.next, %n\n"
          "  br i1 %more, label %loop, label %done\n"
          "done:\n"
          "  ret void\n"
          "}")
      .str();
}

TEST_F(MemoryAvailabilityTest, FieldsOfRecordsAreToldApart) {
  parse(loopOverRecords("8", "24"));
  EXPECT_EQ(reasonFor("v", "reverse(dup, const) -> const"), ReloadReason::NeverOverwritten);
}

TEST_F(MemoryAvailabilityTest, TheSameFieldOfTheRecordBeforeIsNot) {
  parse(loopOverRecords("-24", "24"));
  EXPECT_EQ(reasonFor("v", "reverse(dup, const) -> const"), ReloadReason::OverwrittenBy);
}

TEST_F(MemoryAvailabilityTest, TheSameFieldOfTheNextRecordIsWrittenBeforeItIsRead) {
  parse(loopOverRecords("24", "24"));
  EXPECT_EQ(reasonFor("v", "reverse(dup, const) -> const"), ReloadReason::NeverOverwritten);
}

TEST_F(MemoryAvailabilityTest, OverlappingFieldsAreNot) {
  parse(loopOverRecords("4", "24"));
  EXPECT_EQ(reasonFor("v", "reverse(dup, const) -> const"), ReloadReason::OverwrittenBy);
}

TEST_F(MemoryAvailabilityTest, BetweenTwoHalvesTheCallerMayWrite) {
  parse(R"(
    define double @f(ptr %p, ptr %q) {
      %v = load double, ptr %p
      %w = load double, ptr %q
      %s = fmul double %v, %w
      ret double %s
    })");
  constexpr char Request[] = "augment(dup ptr overwritten, dup ptr) -> active";
  EXPECT_EQ(reasonFor("v", Request), ReloadReason::CallerMayOverwrite);
  EXPECT_EQ(reasonFor("w", Request), ReloadReason::NeverOverwritten);
}

TEST_F(MemoryAvailabilityTest, BetweenTwoHalvesLocalMemoryIsGone) {
  parse(R"(
    define double @f(double %x, i64 %i) {
      %a = alloca [4 x double]
      %p = getelementptr double, ptr %a, i64 %i
      store double %x, ptr %p
      %v = load double, ptr %a
      ret double %v
    })");
  EXPECT_EQ(reasonFor("v", "augment(active, const) -> active"), ReloadReason::LocalMemory);
  EXPECT_EQ(reasonFor("v", "reverse(active, const) -> active"), ReloadReason::NeverOverwritten);
}

} // namespace
