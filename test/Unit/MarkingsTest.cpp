//===- MarkingsTest.cpp - What is said of functions ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/Markings.h"
#include "ModuleFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

using MarkingsTest = ModuleFixture;

TEST_F(MarkingsTest, ReadsWhatAnAllocatorIs) {
  read("declare ptr @take(i32, i64) \"enzyme_allocator\"=\"1\" \"enzyme_deallocator\"=\"-1, 0\"\n");
  std::optional<AllocationLike> A = allocationLike(function("take"));
  ASSERT_TRUE(A);
  EXPECT_EQ(A->SizeArg, 1u);
  EXPECT_EQ(A->FreeArgs, (SmallVector<int, 2>{-1, 0}));
  EXPECT_EQ(A->Free, nullptr);
}

TEST_F(MarkingsTest, DoesNotGuessWhatAnAllocatorIs) {
  read("declare ptr @past(i64) \"enzyme_allocator\"=\"1\"\n"
       "declare i64 @number(i64) \"enzyme_allocator\"=\"0\"\n"
       "declare ptr @word(i64) \"enzyme_allocator\"=\"first\"\n"
       "declare ptr @freed(i64) \"enzyme_allocator\"=\"0\" \"enzyme_deallocator\"=\"-2\"\n"
       "declare ptr @plain(i64)\n");
  for (StringRef Name : {"past", "number", "word", "freed", "plain"})
    EXPECT_FALSE(allocationLike(function(Name))) << Name.str();
}

TEST_F(MarkingsTest, MarksCallsAndFunctions) {
  read("declare double @silent(double) \"enzyme_inactive\"\n"
       "declare double @loud(double)\n"
       "define void @f(double %x) {\n"
       "  call double @silent(double %x)\n"
       "  call double @loud(double %x) \"enzyme_inactive\"\n"
       "  call double @loud(double %x)\n"
       "  ret void\n}\n");
  SmallVector<CallBase *, 4> Calls = callsIn(function("f"));
  EXPECT_TRUE(isMarkedInactive(*Calls[0]));
  EXPECT_TRUE(isMarkedInactive(*Calls[1]));
  EXPECT_FALSE(isMarkedInactive(*Calls[2]));
}

TEST_F(MarkingsTest, KnowsTypeHintsByTheirNames) {
  read("declare ptr @_Z15__enzyme_doublePvm(ptr, i64)\n"
       "declare ptr @__enzyme_integer(ptr, i64)\n"
       "declare ptr @enzyme_double(ptr, i64)\n");
  EXPECT_EQ(typeHintOf(function("_Z15__enzyme_doublePvm")), TypeHint::Double);
  EXPECT_EQ(typeHintOf(function("__enzyme_integer")), TypeHint::Integer);
  EXPECT_EQ(typeHintOf(function("enzyme_double")), std::nullopt);
}

TEST_F(MarkingsTest, CopiesAreSaidNothingOf) {
  read("define double @f(double %x) \"enzyme_inactive\" \"isozyme-helper\" \"user\" nounwind {\n"
       "  ret double %x\n}\n");
  clearMarkings(function("f"));
  EXPECT_FALSE(isMarkedInactive(function("f")));
  EXPECT_FALSE(function("f").hasFnAttribute(marking::Helper));
  EXPECT_TRUE(function("f").hasFnAttribute("user"));
  EXPECT_TRUE(function("f").doesNotThrow());
}

} // namespace
