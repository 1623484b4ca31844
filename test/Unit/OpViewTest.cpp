//===- OpViewTest.cpp - What an instruction is to differentiation ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/OpView.h"
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace isozyme;
using namespace llvm;

namespace {

class OpViewTest : public testing::Test {
protected:
  /// The views of the instructions of @f, one per line, without the return.
  std::string views(StringRef Declarations, StringRef Body) {
    SMDiagnostic Diagnostic;
    std::string Text = ("target triple = \"x86_64-pc-linux-gnu\"\n" + Declarations +
                        "\ndefine void @f(ptr %p, double %x, float %s, i32 %i, <4 x float> %v, "
                        "half %h) {\n" +
                        Body + "\nret void\n}\n")
                           .str();
    M = parseAssemblyString(Text, Diagnostic, Context);
    if (!M)
      return Diagnostic.getMessage().str();
    TargetLibraryInfoImpl Impl(M->getTargetTriple());
    TargetLibraryInfo TLI(Impl);
    std::string Result;
    raw_string_ostream OS(Result);
    for (Instruction &I : instructions(*M->getFunction("f"))) {
      if (isa<ReturnInst>(I))
        break;
      printOpView(viewOf(I, TLI), OS);
      OS << '\n';
    }
    return Result;
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
};

TEST_F(OpViewTest, Instructions) {
  EXPECT_EQ(views("", "%a = fmul double %x, %x\n"
                      "%b = fneg <4 x float> %v\n"
                      "%c = fpext float %s to double\n"
                      "%d = add i32 %i, 1\n"
                      "%e = fcmp olt double %x, 0.0\n"
                      "%g = fptosi double %x to i32\n"
                      "%h1 = select i1 %e, double %a, double %c\n"
                      "%k = load double, ptr %p\n"
                      "%l = getelementptr i8, ptr %p, i64 8\n"
                      "fence acquire\n"
                      "%m = cmpxchg ptr %p, i32 0, i32 1 acquire acquire\n"
                      "%n = atomicrmw fadd ptr %p, double %x monotonic"),
            "elementwise fmul/2\nelementwise fneg/1\nelementwise fpext/1\nzero\nzero\nzero\n"
            "structural\nmemory\nmemory\nknown inactive\nopaque\nmemory\n");
}

TEST_F(OpViewTest, MathFunctions) {
  EXPECT_EQ(views("declare double @sin(double)\n"
                  "declare float @powf(float, float)\n"
                  "declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)\n"
                  "declare double @llvm.floor.f64(double)\n"
                  "declare double @llvm.powi.f64.i32(double, i32)\n"
                  "declare double @jn(i32, double)\n"
                  "declare double @modf(double, ptr)\n"
                  "declare double @frexp(double, ptr)\n"
                  "declare half @llvm.fabs.f16(half)\n",
                  "%a = call double @sin(double %x)\n"
                  "%b = call float @powf(float %s, float %s)\n"
                  "%c = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %v)\n"
                  "%d = call double @llvm.floor.f64(double %x)\n"
                  "%e = call double @llvm.powi.f64.i32(double %x, i32 %i)\n"
                  "%g = call double @jn(i32 %i, double %x)\n"
                  "%k = call double @modf(double %x, ptr %p)\n"
                  "%l = call double @frexp(double %x, ptr %p)\n"
                  "%m = call half @llvm.fabs.f16(half %h)"),
            "elementwise sin/1\nelementwise pow/2\nelementwise sqrt/1\nzero floor/1\n"
            "elementwise powi/2\nelementwise jn/2\nelementwise modf/1 writes zero\n"
            "elementwise frexp/1\nelementwise fabs/1\n");
}

TEST_F(OpViewTest, OnlyTheLibrarysOwnFunctions) {
  // A body, another signature, a suffix of another type: the user's functions.
  EXPECT_EQ(views("define double @y0(double %x) { ret double %x }\n"
                  "declare double @sin(double, double)\n"
                  "declare float @cos(float)\n"
                  "declare i32 @erf(double)\n"
                  "declare double @gamma(double)\n",
                  "%a = call double @y0(double %x)\n"
                  "%b = call double @sin(double %x, double %x)\n"
                  "%c = call float @cos(float %s)\n"
                  "%d = call i32 @erf(double %x)\n"
                  "%e = call double @gamma(double %x)"),
            "call\ncall\ncall\ncall\ncall\n");
}

TEST_F(OpViewTest, MemoryAndLibraryCalls) {
  EXPECT_EQ(views("declare ptr @malloc(i64)\n"
                  "declare ptr @_Znwm(i64)\n"
                  "declare ptr @realloc(ptr, i64)\n"
                  "declare ptr @pool(i64) allockind(\"alloc,uninitialized\")\n"
                  "declare void @free(ptr)\n"
                  "declare void @_ZdlPvm(ptr, i64)\n"
                  "declare i32 @printf(ptr, ...)\n"
                  "declare void @die() noreturn\n"
                  "declare ptr @_ZNSo9_M_insertIdEERSoT_(ptr, double)\n"
                  "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                  "declare void @llvm.assume(i1)\n"
                  "declare i32 @llvm.umax.i32(i32, i32)\n"
                  "declare i32 @scanf(ptr, ...)\n",
                  "%a = call ptr @malloc(i64 8)\n"
                  "%b = call ptr @_Znwm(i64 8) nobuiltin\n"
                  "%c = call ptr @realloc(ptr %a, i64 16)\n"
                  "%d = call ptr @pool(i64 8)\n"
                  "call void @free(ptr %a)\n"
                  "call void @_ZdlPvm(ptr %b, i64 8)\n"
                  "%e = call i32 (ptr, ...) @printf(ptr %p)\n"
                  "call void @die()\n"
                  "%g = call ptr @_ZNSo9_M_insertIdEERSoT_(ptr %p, double %x)\n"
                  "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %a, i64 8, i1 false)\n"
                  "call void @llvm.assume(i1 true)\n"
                  "%k = call i32 @llvm.umax.i32(i32 %i, i32 1)\n"
                  "%l = call i32 (ptr, ...) @scanf(ptr %p)\n"
                  "%m = call i32 %p(i32 %i)"),
            "allocate\nallocate\ncall\nallocate\nfree\nfree\nknown inactive\nknown inactive\n"
            "known inactive\nmemory\nknown inactive\nzero\ncall\ncall\n");
}

TEST_F(OpViewTest, FrexpIntrinsicIsZeroForTheExponentOnly) {
  StringRef Declaration = "declare { double, i32 } @llvm.frexp.f64.i32(double)\n";
  EXPECT_EQ(views(Declaration, "%a = call { double, i32 } @llvm.frexp.f64.i32(double %x)\n"
                               "%b = extractvalue { double, i32 } %a, 1"),
            "zero\nstructural\n");
  EXPECT_EQ(views(Declaration, "%a = call { double, i32 } @llvm.frexp.f64.i32(double %x)\n"
                               "%b = extractvalue { double, i32 } %a, 0"),
            "opaque\nstructural\n");
}

TEST_F(OpViewTest, LibraryFunctionsHaveTheirParameters) {
  StringRef Declaration = "declare double @link(double)\ndeclare ptr @signal(i32, ptr)\n"
                          "declare i32 @rand(...)\ndeclare double @time(double)\n";
  EXPECT_EQ(views(Declaration, "%a = call double @link(double %x)\n"
                               "%b = call ptr @signal(i32 1, ptr null)\n"
                               "%c = call i32 (...) @rand()\n"
                               "%d = call double @time(double %x)"),
            "call\nknown inactive\nknown inactive\ncall\n");
}

TEST(KnownCalls, Names) {
  EXPECT_TRUE(isInactiveLibraryName("strlen"));
  EXPECT_TRUE(isInactiveLibraryName("clock_gettime"));
  // They write numbers.
  EXPECT_FALSE(isInactiveLibraryName("fread"));
  EXPECT_FALSE(isInactiveLibraryName("sscanf"));
  EXPECT_TRUE(isInactiveRuntimeName("_ZNSt8ios_base4InitC1Ev"));
  EXPECT_FALSE(isInactiveRuntimeName("_ZNSirsERd"));
  // std::ostringstream::str() const &, and std::stringstream::str() &&.
  EXPECT_TRUE(isInactiveRuntimeName(
      "_ZNKRSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEE3strEv"));
  EXPECT_TRUE(
      isInactiveRuntimeName("_ZNOSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEE3strEv"));
  EXPECT_TRUE(isInactiveRuntimeName("_FortranAioOutputReal64"));
  EXPECT_FALSE(isInactiveRuntimeName("_FortranAioInputReal64"));
}

} // namespace
