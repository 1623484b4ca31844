//===- RuleExprTest.cpp - Expressions, rules and their printing ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Rules/RulePrinter.h"
#include "isozyme/Rules/RuleTable.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace isozyme;
using namespace isozyme::rule_words;

namespace {

// What the static_asserts of the rule files rest on.
static_assert(isLinear(T / (2.0 * Y)));
static_assert(isLinear(none));
static_assert(isLinear(select(X < 0.0, -T, T)));
static_assert(isLinear(select(X == 0.0, 0.0, T *X)), "the literal 0 is linear");
static_assert(isLinear(call(Op::Ldexp, T, X1)), "scaling by a power of two is linear");
static_assert(!isLinear(X), "an affine term would survive T = 0");
static_assert(!isLinear(T * T));
static_assert(!isLinear(T + 1.0));
static_assert(!isLinear(X / T));
static_assert(!isLinear(call(Op::Sin, T)));
static_assert(!isLinear(select(T < 0.0, T, 0.0)), "a choice by T is not linear");
static_assert(dependsOnT(select(X == 0.0, 0.0, T *X)), "at some points is enough");
static_assert(!dependsOnT(0.0) && !dependsOnT(none), "a step depends on nothing");
static_assert(!isLinear(select(X < 0.0, T, X)));
static_assert(!isLinear(call(Op::Ldexp, T, T)));

static_assert(readsOf(T / (2.0 * Y)) == ResultBit);
static_assert(readsOf(T *X1) == 1u << 1);
static_assert(readsOf(T) == 0);

// Equal subtrees are one node: x, x1, x*x, x1*x1, sum, T and the quotient.
constexpr Expr Twice = T * (X / (X * X + X1 * X1)) + T * (X / (X * X + X1 * X1));
static_assert(Twice.Size == 9);

std::string text(const Expr &E) {
  std::string S;
  llvm::raw_string_ostream OS(S);
  printExpr(E, OS);
  return S;
}

TEST(RuleExpr, PrintsWithTheFewestParentheses) {
  EXPECT_EQ(text(T / (2.0 * Y)), "T / (2 * y)");
  EXPECT_EQ(text(-(T * call(Op::Sin, X))), "-(T * sin(x))");
  EXPECT_EQ(text(T - (X - X1)), "T - (x - x1)");
  EXPECT_EQ(text(T - X - X1), "T - x - x1");
  EXPECT_EQ(text(select(X < X1 || isNan(X1), T, 0.0)), "select(x < x1 || x1 != x1, T, 0)");
  EXPECT_EQ(text(T * call(Op::Jn, offset(X, -1), X1)), "T * jn(x - 1, x1)");
}

TEST(RuleTable, HasARowForEveryElementwiseOperation) {
  for (unsigned I = 0; I < NumOps; ++I) {
    const Op Id = static_cast<Op>(I);
    const OpInfo &Info = opInfo(Id);
    if (Info.K == OpInfo::RuleOnly)
      continue;
    const bool Wanted = Info.K == OpInfo::Arithmetic || Info.K == OpInfo::Function ||
                        Info.K == OpInfo::ComplexFunction;
    EXPECT_EQ(ruleOf(Id) != nullptr, Wanted) << Info.Id.str();
  }
}

TEST(RuleTable, PartialsFitTheSignature) {
  for (unsigned I = 0; I < NumOps; ++I) {
    const Rule *R = ruleOf(static_cast<Op>(I));
    if (!R)
      continue;
    const OpInfo &Info = opInfo(R->Id);
    const unsigned N = numOperands(Info.Sig);
    for (unsigned Operand = 0; Operand < R->Partials.size(); ++Operand) {
      const Expr &E = R->Partials[Operand];
      if (Operand >= N || isIntOperand(Info.Sig, Operand)) {
        EXPECT_TRUE(E.isNone()) << Info.Id.str() << " operand " << Operand;
      }
      EXPECT_EQ(readsOf(E) & ~ResultBit & ~((1u << N) - 1), 0u) << Info.Id.str();
    }
  }
}

TEST(RuleTable, TellsSmoothOperations) {
  for (Op Id : {Op::FAdd, Op::FMul, Op::FDiv, Op::Fma, Op::Sqrt, Op::Exp, Op::Pow, Op::Tanh,
                Op::Hypot, Op::Erf})
    EXPECT_TRUE(isSmooth(*ruleOf(Id))) << opInfo(Id).Name.str();
  for (Op Id : {Op::FAbs, Op::CopySign, Op::FMin, Op::FMaximum, Op::FDim, Op::Saturate, Op::Median,
                Op::FRem, Op::FMod, Op::Remainder, Op::Fract, Op::Frexp, Op::Modf})
    EXPECT_FALSE(isSmooth(*ruleOf(Id))) << opInfo(Id).Name.str();
}

TEST(RuleTable, PrintsEveryOperation) {
  std::string S;
  llvm::raw_string_ostream OS(S);
  printRuleTable(OS);
  for (unsigned I = 2; I < NumOps; ++I)
    if (const OpInfo &Info = opInfo(static_cast<Op>(I)); Info.K != OpInfo::RuleOnly)
      EXPECT_NE(S.find("\n" + Info.Name.str()), std::string::npos) << Info.Id.str();
}

TEST(OpTable, NamesAreReadAndWritten) {
  llvm::LLVMContext C;
  llvm::Type *Float = llvm::Type::getFloatTy(C), *Double = llvm::Type::getDoubleTy(C);
  llvm::Type *Half = llvm::Type::getHalfTy(C), *Extended = llvm::Type::getX86_FP80Ty(C);
  struct {
    const char *Name;
    Op Id;
    MathFamily Family;
    FloatSuffix Suffix;
  } Known[] = {
      {"sin", Op::Sin, MathFamily::Libm, FloatSuffix::None},
      {"sinf", Op::Sin, MathFamily::Libm, FloatSuffix::F},
      {"sinl", Op::Sin, MathFamily::Libm, FloatSuffix::L},
      {"sinf128", Op::Sin, MathFamily::Libm, FloatSuffix::F128},
      {"erf", Op::Erf, MathFamily::Libm, FloatSuffix::None},
      {"erff", Op::Erf, MathFamily::Libm, FloatSuffix::F},
      {"modf", Op::Modf, MathFamily::Libm, FloatSuffix::None},
      {"modff", Op::Modf, MathFamily::Libm, FloatSuffix::F},
      {"fmaf", Op::Fma, MathFamily::Libm, FloatSuffix::F},
      {"ceil", Op::Ceil, MathFamily::Libm, FloatSuffix::None},
      {"ceill", Op::Ceil, MathFamily::Libm, FloatSuffix::L},
      {"lgammaf_r", Op::LGammaR, MathFamily::Libm, FloatSuffix::F},
      {"drem", Op::Remainder, MathFamily::Libm, FloatSuffix::None},
      {"__powf_finite", Op::Pow, MathFamily::Libm, FloatSuffix::F},
      {"__nv_cbrtf", Op::Cbrt, MathFamily::Libdevice, FloatSuffix::F},
      {"__ocml_exp_f64", Op::Exp, MathFamily::Ocml, FloatSuffix::F64},
      {"__ocml_native_log2_f32", Op::Log2, MathFamily::Ocml, FloatSuffix::F32},
  };
  for (const auto &K : Known) {
    std::optional<MathName> Got = parseMathName(K.Name);
    ASSERT_TRUE(Got) << K.Name;
    EXPECT_EQ(Got->Id, K.Id) << K.Name;
    EXPECT_EQ(Got->Family, K.Family) << K.Name;
    EXPECT_EQ(Got->Suffix, K.Suffix) << K.Name;
  }
  for (const char *Name : {"sine", "f", "l", "gamma_r", "__ocml_exp", "sin_r", "mysin", ""})
    EXPECT_FALSE(parseMathName(Name)) << Name;
  // A program may have such a name for something else.
  for (const char *Name : {"psi", "i0", "k1", "jv", "ndtri", "sinc", "sincf", "igamc"}) {
    ASSERT_TRUE(parseMathName(Name)) << Name;
    EXPECT_TRUE(parseMathName(Name)->NeedsMark) << Name;
  }
  for (const char *Name : {"cephes_psi", "j0", "digamma", "sincn", "__nv_cyl_bessel_i0"}) {
    ASSERT_TRUE(parseMathName(Name)) << Name;
    EXPECT_FALSE(parseMathName(Name)->NeedsMark) << Name;
  }

  EXPECT_EQ(mathName(Op::Cos, MathFamily::Libm, Float), "cosf");
  EXPECT_EQ(mathName(Op::Cos, MathFamily::Libm, Extended), "cosl");
  EXPECT_EQ(mathName(Op::Cos, MathFamily::Libm, Half), "");
  EXPECT_EQ(mathName(Op::LGammaR, MathFamily::Libm, Float), "lgammaf_r");
  EXPECT_EQ(mathName(Op::Cos, MathFamily::Libdevice, Double), "__nv_cos");
  EXPECT_EQ(mathName(Op::Cos, MathFamily::Ocml, Half), "__ocml_cos_f16");
}

TEST(OpTable, IntrinsicsLeadToTheirOperation) {
  EXPECT_EQ(opOfIntrinsic(llvm::Intrinsic::minnum), Op::FMin);
  EXPECT_EQ(opOfIntrinsic(llvm::Intrinsic::minimumnum), Op::FMin);
  EXPECT_EQ(opOfIntrinsic(llvm::Intrinsic::minimum), Op::FMinimum);
  EXPECT_EQ(opOfIntrinsic(llvm::Intrinsic::fmuladd), Op::Fma);
  EXPECT_EQ(opOfIntrinsic(llvm::Intrinsic::memcpy), Op::None);
  EXPECT_EQ(opOfIntrinsic(llvm::Intrinsic::not_intrinsic), Op::None);
}

} // namespace
