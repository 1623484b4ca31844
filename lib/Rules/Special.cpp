//===- Special.cpp - Rules of error, gamma and Bessel functions ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T: incoming derivative, X/X1/X2: operands, Y: result. See docs/rules.md.
// Formulas: DLMF 7.2, 7.10 (erf), 4.13 (Lambert), 5.2 (digamma), 6.2 (exponential
// integrals), 8.8 and 8.17 (incomplete functions), 10.6 and
// 10.29 (Bessel recurrences).
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

constexpr Expr lgamma(const Expr &A) { return call(Op::LGamma, A); }
constexpr Expr log(const Expr &A) { return call(Op::Log, A); }
constexpr Expr log1p(const Expr &A) { return call(Op::Log1p, A); }
constexpr Expr i0(const Expr &A) { return call(Op::I0, A); }
constexpr Expr i1(const Expr &A) { return call(Op::I1, A); }
constexpr Expr k0(const Expr &A) { return call(Op::K0, A); }
constexpr Expr k1(const Expr &A) { return call(Op::K1, A); }

/// x1^(x-1) exp(-x1) / Gamma(x), by which igam(x, x1) grows.
constexpr Expr gammaDensity = select(X == 1.0, exp(-X1), exp((X - 1.0) * log(X1) - X1 - lgamma(X)));
/// x2^(x-1) (1-x2)^(x1-1) / B(x, x1)
constexpr Expr betaDensity =
    exp((X - 1.0) * log(X2) + (X1 - 1.0) * log1p(-X2) + (lgamma(X + X1) - lgamma(X) - lgamma(X1)));
/// x / x1 times the function of order x: one half of the first order at 0.
constexpr Expr orderTerm = select(X1 == 0.0, select(X == 1.0, 0.5, 0.0), X / X1 * Y);
constexpr const char *AtZero = "at 0: 1/2 of order 1, 0 of all others";

// clang-format off: to it, T * (...) is a declaration
constexpr Rule Special[] = {
    {Op::Erf, {T * (twoOverSqrtPi * exp(-(X * X)))}},
    {Op::Erfc, {-(T * (twoOverSqrtPi * exp(-(X * X))))}},
    {Op::Erfcx, {T * (2.0 * (X * Y) - twoOverSqrtPi)}},
    {Op::Erfi, {T * (twoOverSqrtPi * exp(X * X))}},
    {Op::Dawson, {T * (1.0 - 2.0 * (X * Y))}},
    {Op::FaddeevaWIm, {T * (twoOverSqrtPi - 2.0 * (X * Y))}},
    {Op::ErfInv, {T * (halfSqrtPi * exp(Y * Y))}},
    {Op::ErfcInv, {-(T * (halfSqrtPi * exp(Y * Y)))}},
    {Op::NormCdf, {T * (invSqrt2Pi * exp(-(0.5 * (X * X))))}},
    {Op::NormCdfInv, {T * (sqrt2Pi * exp(0.5 * (Y * Y)))}},
    {Op::TGamma, {T * (Y * digamma(X))}},
    {Op::LGamma, {T * digamma(X)}},
    {Op::LGammaR, {T * digamma(X)}},
    {Op::Psi, {T * call(Op::Trigamma, X)}},
    {Op::ExpintE1, {-(T * (exp(-X) / X))}},
    {Op::ExpintEi, {T * (exp(X) / X)}},
    // Y exp(Y) is X.
    {Op::LambertW0, {T / (X + exp(Y))}},
    {Op::IncompleteGammaP, {unknown, T * gammaDensity}},
    {Op::IncompleteGammaQ, {unknown, -(T * gammaDensity)}},
    {Op::IncompleteBeta, {unknown, unknown, T * betaDensity}},
    // The order is an integer and carries no derivative.
    {Op::J0, {-(T * j1(X))}},
    {Op::J1, {T * (0.5 * (j0(X) - jn(2.0, X)))}},
    {Op::Jn, {none, T * (0.5 * (jn(offset(X, -1), X1) - jn(offset(X, 1), X1)))}},
    {Op::Y0, {-(T * y1(X))}},
    {Op::Y1, {T * (0.5 * (y0(X) - yn(2.0, X)))}},
    {Op::Yn, {none, T * (0.5 * (yn(offset(X, -1), X1) - yn(offset(X, 1), X1)))}},
    {Op::I0, {T * i1(X)}},
    {Op::I1, {T * select(X == 0.0, 0.5, i0(X) - Y / X)}},
    {Op::K0, {-(T * k1(X))}},
    {Op::K1, {-(T * (k0(X) + Y / X))}},
    // A real order may be less than 1, and few libraries take a negative one.
    {Op::BesselJ, {unknown, T * (orderTerm - call(Op::BesselJ, X + 1.0, X1))}, AtZero},
    {Op::BesselY, {unknown, T * (X / X1 * Y - call(Op::BesselY, X + 1.0, X1))}},
    {Op::BesselI, {unknown, T * (orderTerm + call(Op::BesselI, X + 1.0, X1))}, AtZero},
    {Op::BesselK, {unknown, T * (X / X1 * Y - call(Op::BesselK, X + 1.0, X1))}},
};
// clang-format on
static_assert(allLinear(Special), "every partial must be linear in T");

} // namespace

llvm::ArrayRef<Rule> specialRules() { return Special; }

} // namespace isozyme
