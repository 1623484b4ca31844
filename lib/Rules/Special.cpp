//===- Special.cpp - Rules of error, gamma and Bessel functions ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T: incoming derivative, X/X1/X2: operands, Y: result. See docs/rules.md.
// Formulas: DLMF 7.2 (erf), 5.2 (digamma), 10.6 (Bessel recurrences).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Rules/RuleTable.h"

namespace isozyme {

namespace {
using namespace rule_words;

constexpr Expr exp(const Expr &A) { return call(Op::Exp, A); }
constexpr Expr digamma(const Expr &A) { return call(Op::Digamma, A); }
constexpr Expr j0(const Expr &A) { return call(Op::J0, A); }
constexpr Expr j1(const Expr &A) { return call(Op::J1, A); }
constexpr Expr y0(const Expr &A) { return call(Op::Y0, A); }
constexpr Expr y1(const Expr &A) { return call(Op::Y1, A); }
constexpr Expr jn(const Expr &N, const Expr &A) { return call(Op::Jn, N, A); }
constexpr Expr yn(const Expr &N, const Expr &A) { return call(Op::Yn, N, A); }

constexpr Rule Special[] = {
    {Op::Erf, {T * (twoOverSqrtPi * exp(-(X * X)))}},
    {Op::Erfc, {-(T * (twoOverSqrtPi * exp(-(X * X))))}},
    {Op::Erfcx, {T * (2.0 * (X * Y) - twoOverSqrtPi)}},
    {Op::Erfi, {T * (twoOverSqrtPi * exp(X * X))}},
    {Op::ErfInv, {T * (halfSqrtPi * exp(Y * Y))}},
    {Op::ErfcInv, {-(T * (halfSqrtPi * exp(Y * Y)))}},
    {Op::NormCdf, {T * (invSqrt2Pi * exp(-(0.5 * (X * X))))}},
    {Op::NormCdfInv, {T * (sqrt2Pi * exp(0.5 * (Y * Y)))}},
    {Op::TGamma, {T * (Y * digamma(X))}},
    {Op::LGamma, {T * digamma(X)}},
    {Op::LGammaR, {T * digamma(X)}},
    // The order is an integer and carries no derivative.
    {Op::J0, {-(T * j1(X))}},
    {Op::J1, {T * (0.5 * (j0(X) - jn(2.0, X)))}},
    {Op::Jn, {none, T * (0.5 * (jn(offset(X, -1), X1) - jn(offset(X, 1), X1)))}},
    {Op::Y0, {-(T * y1(X))}},
    {Op::Y1, {T * (0.5 * (y0(X) - yn(2.0, X)))}},
    {Op::Yn, {none, T * (0.5 * (yn(offset(X, -1), X1) - yn(offset(X, 1), X1)))}},
};
static_assert(allLinear(Special), "every partial must be linear in T");

} // namespace

llvm::ArrayRef<Rule> specialRules() { return Special; }

} // namespace isozyme
