//===- Arithmetic.cpp - Rules of arithmetic, choice and scaling ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T: incoming derivative, X/X1/X2: operands, Y: result. See docs/rules.md.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RuleTable.h"

namespace isozyme {

namespace {
using namespace rule_words;

constexpr Expr signOf(const Expr &A) { return call(Op::CopySign, 1.0, A); }
/// X minus Y is a multiple of X1: rounding gives that multiple exactly.
constexpr Expr quotient = call(Op::RoundEven, (X - Y) / X1);
/// Where fmin and fmax return the first operand, and the second.
constexpr Expr minIsFirst = X < X1 || isNan(X1);
constexpr Expr maxIsSecond = X < X1 || isNan(X);

constexpr bool Jumps = true;

// clang-format off: to it, T * (...) is a declaration
constexpr Rule Arithmetic[] = {
    {Op::FNeg, {-T}},
    {Op::FAdd, {T, T}},
    {Op::FSub, {T, -T}},
    {Op::FMul, {T * X1, T * X}},
    {Op::FDiv, {T / X1, -((T / X1) * Y)}},
    {Op::FRem, {T, -(T * quotient)}, "", Jumps},
    {Op::FPExt, {convert(T)}},
    {Op::FPTrunc, {convert(T)}},
    {Op::Fma, {T * X1, T * X, T}},
    {Op::Canonicalize, {T}},
    {Op::ArithmeticFence, {T}},
    {Op::FAbs, {select(X < 0.0, -T, T)}, "at 0: +1"},
    {Op::CopySign, {select(X == 0.0, T, T * (signOf(X) * signOf(X1))), none}, "at 0: +1"},
    {Op::FMin, {select(minIsFirst, T, 0.0), select(minIsFirst, 0.0, T)}, "tie: second operand"},
    {Op::FMax, {select(maxIsSecond, 0.0, T), select(maxIsSecond, T, 0.0)}, "tie: first operand"},
    {Op::FMinimum, {select(X < X1, T, 0.0), select(X < X1, 0.0, T)}, "tie: second operand"},
    {Op::FMaximum, {select(X < X1, 0.0, T), select(X < X1, T, 0.0)}, "tie: first operand"},
    {Op::FDim, {select(X < X1, 0.0, T), select(X < X1, 0.0, -T)}, "tie: +1 and -1"},
    {Op::FMod, {T, -(T * quotient)}, "", Jumps},
    {Op::Remainder, {T, -(T * quotient)}, "", Jumps},
    {Op::Remquo, {T, -(T * quotient)}, "", Jumps},
    {Op::Saturate, {select(Y == X, T, 0.0)}, "at 0 and 1: 1"},
    {Op::Median,
     {select(Y == X, T, 0.0), select(Y == X, 0.0, select(Y == X1, T, 0.0)),
      select(Y == X, 0.0, select(Y == X1, 0.0, T))},
     "tie: the first of the equal operands"},
    {Op::Fract, {T}, "", Jumps},
    {Op::Rem2Pi, {T, none}, "", Jumps},
    {Op::Ldexp, {call(Op::Ldexp, T, X1), none}},
    {Op::Scalbn, {call(Op::Scalbn, T, X1), none}},
    {Op::Scalbln, {call(Op::Scalbln, T, X1), none}},
    {Op::Frexp, {select(X == 0.0, T, T / (X / Y))}, "at 0: 1", Jumps},
    {Op::Significand, {select(X == 0.0, T, T / (X / Y))}, "at 0: 1", Jumps},
    {Op::Modf, {T}, "the integral part has derivative 0", Jumps},
    {Op::NextAfter, {T, none}},
    {Op::NextToward, {T, none}},
    {Op::NextUp, {T}},
    {Op::NextDown, {T}},
    {Op::StandIn, {T}},
};
// clang-format on
static_assert(allLinear(Arithmetic), "every partial must be linear in T");

} // namespace

llvm::ArrayRef<Rule> arithmeticRules() { return Arithmetic; }

} // namespace isozyme
