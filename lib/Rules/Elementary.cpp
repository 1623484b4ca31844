//===- Elementary.cpp - Rules of roots, powers, exp, log, trigonometry -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T: incoming derivative, X/X1/X2: operands, Y: result. See docs/rules.md.
// Formulas: DLMF 4.2, 4.7, 4.20, 4.24, 4.34, 4.38.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RuleTable.h"

namespace isozyme {

namespace {
using namespace rule_words;

constexpr Expr log(const Expr &A) { return call(Op::Log, A); }
constexpr Expr sqrt(const Expr &A) { return call(Op::Sqrt, A); }
constexpr Expr sin(const Expr &A) { return call(Op::Sin, A); }
constexpr Expr cos(const Expr &A) { return call(Op::Cos, A); }
constexpr Expr sinpi(const Expr &A) { return call(Op::Sinpi, A); }
constexpr Expr cospi(const Expr &A) { return call(Op::Cospi, A); }
constexpr Expr sinh(const Expr &A) { return call(Op::Sinh, A); }
constexpr Expr cosh(const Expr &A) { return call(Op::Cosh, A); }
constexpr Expr pow(const Expr &A, const Expr &B) { return call(Op::Pow, A, B); }
constexpr Expr powi(const Expr &A, const Expr &N) { return call(Op::Powi, A, N); }

constexpr Expr pown(const Expr &A, const Expr &N) { return call(Op::PowN, A, N); }

constexpr Expr radius2 = X * X + X1 * X1;

// clang-format off: to it, T * (...) is a declaration
constexpr Rule Elementary[] = {
    {Op::Sqrt, {select(Y == 0.0, 0.0, T * (0.5 / Y))}, "at 0: 0"},
    {Op::Reciprocal, {-((T * Y) * Y)}},
    {Op::Cbrt, {select(Y == 0.0, 0.0, T / (3.0 * (Y * Y)))}, "at 0: 0"},
    {Op::RSqrt, {-(T * (0.5 * (Y / X)))}},
    {Op::RCbrt, {-(T * (Y / (3.0 * X)))}},
    {Op::RootN, {select(Y == 0.0, 0.0, T * (Y / (toFloat(X1) * X))), none}, "at 0: 0"},
    {Op::Hypot,
     {select(Y == 0.0, 0.0, T * (X / Y)), select(Y == 0.0, 0.0, T * (X1 / Y))},
     "at (0,0): 0"},
    {Op::Norm3d,
     {select(Y == 0.0, 0.0, T * (X / Y)), select(Y == 0.0, 0.0, T * (X1 / Y)),
      select(Y == 0.0, 0.0, T * (X2 / Y))},
     "at (0,0,0): 0"},
    {Op::RNorm3d, {-(T * (X * Y * (Y * Y))), -(T * (X1 * Y * (Y * Y))), -(T * (X2 * Y * (Y * Y)))}},
    {Op::RHypot, {-(T * (X * Y * (Y * Y))), -(T * (X1 * Y * (Y * Y)))}},
    {Op::Pow,
     {select(X1 == 0.0, 0.0, T * (X1 * pow(X, X1 - 1.0))),
      select(X == 0.0, 0.0, T * (Y * log(X)))},
     "base at exponent 0: 0; exponent at base 0: 0"},
    {Op::Powi,
     {select(X1 == 0.0, 0.0, T * (toFloat(X1) * powi(X, offset(X1, -1)))), none},
     "exponent 0: 0"},
    {Op::PowN,
     {select(X1 == 0.0, 0.0, T * (toFloat(X1) * pown(X, offset(X1, -1)))), none},
     "exponent 0: 0"},
    {Op::CompoundN,
     {select(X1 == 0.0, 0.0, T * (toFloat(X1) * call(Op::CompoundN, X, offset(X1, -1)))), none},
     "exponent 0: 0"},

    {Op::Exp, {T * Y}},
    {Op::Exp2, {T * (Y * ln2)}},
    {Op::Exp10, {T * (Y * ln10)}},
    {Op::Expm1, {T * (Y + 1.0)}},
    {Op::Exp2m1, {T * ((Y + 1.0) * ln2)}},
    {Op::Exp10m1, {T * ((Y + 1.0) * ln10)}},
    {Op::Log, {T / X}},
    {Op::Log2, {T / (X * ln2)}},
    {Op::Log10, {T / (X * ln10)}},
    {Op::Log1p, {T / (1.0 + X)}},
    {Op::Log2p1, {T / ((1.0 + X) * ln2)}},
    {Op::Log10p1, {T / ((1.0 + X) * ln10)}},
    {Op::XLogY, {T * log(X1), select(X == 0.0, 0.0, T * (X / X1))}, "second at first 0: 0"},
    {Op::XLog1pY,
     {T * call(Op::Log1p, X1), select(X == 0.0, 0.0, T * (X / (1.0 + X1)))},
     "second at first 0: 0"},

    {Op::Sin, {T * cos(X)}},
    {Op::Cos, {-(T * sin(X))}},
    {Op::Tan, {T * (1.0 + Y * Y)}},
    {Op::Asin, {T / sqrt((1.0 - X) * (1.0 + X))}},
    {Op::Acos, {-(T / sqrt((1.0 - X) * (1.0 + X)))}},
    {Op::Atan, {T / (1.0 + X * X)}},
    {Op::Atan2,
     {select(radius2 == 0.0, 0.0, T * (X1 / radius2)),
      select(radius2 == 0.0, 0.0, -(T * (X / radius2)))},
     "at (0,0): 0"},
    {Op::Sinpi, {T * (pi * cospi(X))}},
    {Op::Cospi, {-(T * (pi * sinpi(X)))}},
    {Op::SinTurns, {T * ((2.0 * pi) * cospi(2.0 * X))}},
    {Op::CosTurns, {-(T * ((2.0 * pi) * sinpi(2.0 * X)))}},
    {Op::Tanpi, {T * (pi * (1.0 + Y * Y))}},
    {Op::Asinpi, {T / (pi * sqrt((1.0 - X) * (1.0 + X)))}},
    {Op::Acospi, {-(T / (pi * sqrt((1.0 - X) * (1.0 + X))))}},
    {Op::Atanpi, {T / (pi * (1.0 + X * X))}},
    {Op::Atan2pi,
     {select(radius2 == 0.0, 0.0, T * (X1 / (pi * radius2))),
      select(radius2 == 0.0, 0.0, -(T * (X / (pi * radius2))))},
     "at (0,0): 0"},
    // sin(x) / x, and sin(pi x) / (pi x).
    {Op::Sinc, {select(X == 0.0, 0.0, T * ((cos(X) - Y) / X))}, "at 0: 0"},
    {Op::Sincn, {select(X == 0.0, 0.0, T * ((cos(pi * X) - Y) / X))}, "at 0: 0"},

    {Op::Sinh, {T * cosh(X)}},
    {Op::Cosh, {T * sinh(X)}},
    {Op::Tanh, {T * ((1.0 - Y) * (1.0 + Y))}},
    {Op::Asinh, {T / sqrt(1.0 + X * X)}},
    {Op::Acosh, {T / sqrt((X - 1.0) * (X + 1.0))}},
    {Op::Atanh, {T / ((1.0 - X) * (1.0 + X))}},
};
// clang-format on
static_assert(allLinear(Elementary), "every partial must be linear in T");

} // namespace

llvm::ArrayRef<Rule> elementaryRules() { return Elementary; }

} // namespace isozyme
