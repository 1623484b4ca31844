//===- Complex.cpp - Rules of functions of complex numbers -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T: incoming derivative, X/X1: operands, Y: result; all arithmetic is complex. These
// functions are holomorphic: forward mode multiplies the tangent by the complex
// derivative, reverse mode the adjoint by its conjugate. See docs/rules.md.
// Formulas: DLMF 4.2, 4.7, 4.20, 4.24, 4.34, 4.38, 7.2, 7.10, 10.6; on branch cuts after Kahan:
// roots of factors, not of products.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RuleTable.h"

namespace isozyme {

// A namespace with a name: the words have the names of those of Elementary.cpp.
namespace complex_rules {
using namespace rule_words;

constexpr Expr log(const Expr &A) { return call(Op::CLog, A); }
constexpr Expr sqrt(const Expr &A) { return call(Op::CSqrt, A); }
constexpr Expr sin(const Expr &A) { return call(Op::CSin, A); }
constexpr Expr cos(const Expr &A) { return call(Op::CCos, A); }
constexpr Expr sinh(const Expr &A) { return call(Op::CSinh, A); }
constexpr Expr cosh(const Expr &A) { return call(Op::CCosh, A); }
constexpr Expr pow(const Expr &A, const Expr &B) { return call(Op::CPow, A, B); }

constexpr Expr exp(const Expr &A) { return call(Op::CExp, A); }
constexpr Expr jn(const Expr &N, const Expr &A) { return call(Op::CJn, N, A); }
constexpr Expr yn(const Expr &N, const Expr &A) { return call(Op::CYn, N, A); }

// clang-format off: to it, T * (...) is a declaration
constexpr Rule Complex[] = {
    {Op::CMul, {T * X1, T * X}},
    {Op::CDiv, {T / X1, -((T / X1) * Y)}},
    {Op::CProj, {T}, "at infinity: 1"},
    {Op::CSqrt, {select(Y == 0.0, 0.0, T / (2.0 * Y))}, "at 0: 0"},
    {Op::CPow,
     {select(X1 == 0.0, 0.0, T * (X1 * pow(X, X1 - 1.0))),
      select(X == 0.0, 0.0, T * (Y * log(X)))},
     "base at exponent 0: 0; exponent at base 0: 0"},
    {Op::CExp, {T * Y}},
    {Op::CLog, {T / X}},
    {Op::CLog10, {T / (X * ln10)}},
    {Op::CSin, {T * cos(X)}},
    {Op::CCos, {-(T * sin(X))}},
    {Op::CTan, {T * (1.0 + Y * Y)}},
    {Op::CSinh, {T * cosh(X)}},
    {Op::CCosh, {T * sinh(X)}},
    {Op::CTanh, {T * ((1.0 - Y) * (1.0 + Y))}},
    {Op::CAsin, {T / (sqrt(1.0 - X) * sqrt(1.0 + X))}},
    {Op::CAcos, {-(T / (sqrt(1.0 - X) * sqrt(1.0 + X)))}},
    {Op::CAtan, {T / (1.0 + X * X)}},
    {Op::CAsinh, {T / sqrt(1.0 + X * X)}},
    {Op::CAcosh, {T / (sqrt(X - 1.0) * sqrt(X + 1.0))}},
    {Op::CAtanh, {T / ((1.0 - X) * (1.0 + X))}},
    {Op::FaddeevaW, {T * (imaginary(twoOverSqrtPi) - 2.0 * (X * Y))}},
    {Op::FaddeevaErf, {T * (twoOverSqrtPi * exp(-(X * X)))}},
    {Op::FaddeevaErfc, {-(T * (twoOverSqrtPi * exp(-(X * X))))}},
    {Op::FaddeevaErfcx, {T * (2.0 * (X * Y) - twoOverSqrtPi)}},
    {Op::FaddeevaErfi, {T * (twoOverSqrtPi * exp(X * X))}},
    {Op::FaddeevaDawson, {T * (1.0 - 2.0 * (X * Y))}},
    {Op::CInverse, {-(T * (Y * Y))}},
    {Op::CJn, {none, T * (0.5 * (jn(offset(X, -1), X1) - jn(offset(X, 1), X1)))}},
    {Op::CYn, {none, T * (0.5 * (yn(offset(X, -1), X1) - yn(offset(X, 1), X1)))}},
};
// clang-format on
static_assert(allLinear(Complex), "every partial must be linear in T");

} // namespace complex_rules

llvm::ArrayRef<Rule> complexRules() { return complex_rules::Complex; }

} // namespace isozyme
