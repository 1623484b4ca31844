//===- SpecialFunctions.h - Functions that C libraries lack ------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special functions by their power series, good for the small numbers of the table's
// domains.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TOOLS_RULECHECK_SPECIALFUNCTIONS_H
#define ISOZYME_TOOLS_RULECHECK_SPECIALFUNCTIONS_H

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

namespace rulecheck {

/// 2/sqrt(pi) times the sum of (sign z^2)^k z / (k! (2k + 1)): erf for -1, erfi for 1.
template <typename R, typename T> T erfSeries(T Z, R Sign) {
  T Sum = 0, Term = 2 * std::numbers::inv_sqrtpi_v<R> * Z;
  for (int K = 0; K < 60; Term *= Sign * Z * Z / static_cast<R>(++K))
    Sum += Term / static_cast<R>(2 * K + 1);
  return Sum;
}
template <typename T> T dawson(T X) {
  return erfSeries(X, T(1)) * std::exp(-X * X) / (2 * std::numbers::inv_sqrtpi_v<T>);
}
template <typename T> T faddeevaWIm(T X) { return erfSeries(X, T(1)) * std::exp(-X * X); }

template <typename R> using Complex = std::complex<R>;
/// What C passes. A class of C++ with such a member may go another way.
template <typename R> struct COf;
template <> struct COf<float> {
  using Type = float _Complex;
};
template <> struct COf<double> {
  using Type = double _Complex;
};
template <> struct COf<long double> {
  using Type = long double _Complex;
};
template <typename R> using CComplex = typename COf<R>::Type;
template <typename R> Complex<R> fromC(CComplex<R> Z) { return {__real__ Z, __imag__ Z}; }
template <typename R> CComplex<R> toC(Complex<R> Z) {
  CComplex<R> W;
  __real__ W = Z.real();
  __imag__ W = Z.imag();
  return W;
}

template <typename R> Complex<R> faddeevaErf(Complex<R> Z, R) { return erfSeries(Z, R(-1)); }
template <typename R> Complex<R> faddeevaErfi(Complex<R> Z, R) { return erfSeries(Z, R(1)); }
template <typename R> Complex<R> faddeevaErfc(Complex<R> Z, R) {
  return R(1) - erfSeries(Z, R(-1));
}
template <typename R> Complex<R> faddeevaErfcx(Complex<R> Z, R) {
  return std::exp(Z * Z) * (R(1) - erfSeries(Z, R(-1)));
}
template <typename R> Complex<R> faddeevaDawson(Complex<R> Z, R) {
  return erfSeries(Z, R(1)) * std::exp(-Z * Z) / (2 * std::numbers::inv_sqrtpi_v<R>);
}
/// exp(-z^2) erfc(-iz)
template <typename R> Complex<R> faddeevaW(Complex<R> Z, R) {
  return std::exp(-Z * Z) * (R(1) + Complex<R>(0, 1) * erfSeries(Z, R(1)));
}

template <typename R> Complex<R> inverse(Complex<R> Z) { return R(1) / Z; }
/// J of integer order.
template <typename R> Complex<R> complexJn(int N, Complex<R> Z) {
  if (N < 0)
    return R(N % 2 ? -1 : 1) * complexJn(-N, Z);
  Complex<R> Sum = 0, Term = std::pow(Z / R(2), N) / std::tgamma(R(N + 1));
  for (int K = 0; K < 40; ++K, Term *= -Z * Z / R(4 * K * (K + N)))
    Sum += Term;
  return Sum;
}
/// Y of integer order (DLMF 10.8.1).
template <typename R> Complex<R> complexYn(int N, Complex<R> Z) {
  if (N < 0)
    return R(N % 2 ? -1 : 1) * complexYn(-N, Z);
  const Complex<R> Half = Z / R(2);
  Complex<R> Sum = R(2) * std::log(Half) * complexJn(N, Z);
  for (int K = 0; K < N; ++K)
    Sum -= std::tgamma(R(N - K)) / std::tgamma(R(K + 1)) * std::pow(Half, 2 * K - N);
  R Psi = -2 * std::numbers::egamma_v<R>; // digamma(k + 1) + digamma(n + k + 1)
  for (int I = 1; I <= N; ++I)
    Psi += 1 / R(I);
  Complex<R> Term = std::pow(Half, N) / std::tgamma(R(N + 1));
  for (int K = 0; K < 40;
       Psi += 1 / R(K + 1) + 1 / R(N + K + 1), ++K, Term *= -Half * Half / R(K * (K + N)))
    Sum -= Psi * Term;
  return Sum / std::numbers::pi_v<R>;
}

// The same as functions of C.
#define ISOZYME_AS_C(NAME)                                                                         \
  template <typename R> CComplex<R> NAME##C(CComplex<R> Z, R Exact) {                              \
    return toC<R>(NAME(fromC<R>(Z), Exact));                                                       \
  }
ISOZYME_AS_C(faddeevaErf)
ISOZYME_AS_C(faddeevaErfi)
ISOZYME_AS_C(faddeevaErfc)
ISOZYME_AS_C(faddeevaErfcx)
ISOZYME_AS_C(faddeevaDawson)
ISOZYME_AS_C(faddeevaW)
#undef ISOZYME_AS_C
template <typename R> CComplex<R> inverseC(CComplex<R> Z) { return toC<R>(inverse(fromC<R>(Z))); }
template <typename R> CComplex<R> complexJnC(int N, CComplex<R> Z) {
  return toC<R>(complexJn(N, fromC<R>(Z)));
}
template <typename R> CComplex<R> complexYnC(int N, CComplex<R> Z) {
  return toC<R>(complexYn(N, fromC<R>(Z)));
}

/// The library throws where Bessel functions of real order are not real.
template <typename T, typename F> T whereReal(T X, F Function) {
  return X < 0 ? std::numeric_limits<T>::quiet_NaN() : Function();
}
template <typename T> T besselJ(T Order, T X) {
  return whereReal(X, [=] { return std::cyl_bessel_j(Order, X); });
}
template <typename T> T besselY(T Order, T X) {
  return whereReal(X, [=] { return std::cyl_neumann(Order, X); });
}
template <typename T> T besselI(T Order, T X) {
  return whereReal(X, [=] { return std::cyl_bessel_i(Order, X); });
}
template <typename T> T besselK(T Order, T X) {
  return whereReal(X, [=] { return std::cyl_bessel_k(Order, X); });
}
template <typename T> T besselI0(T X) { return std::cyl_bessel_i(T(0), std::fabs(X)); }
template <typename T> T besselI1(T X) {
  return std::copysign(std::cyl_bessel_i(T(1), std::fabs(X)), X);
}
template <typename T> T besselK0(T X) { return besselK(T(0), X); }
template <typename T> T besselK1(T X) { return besselK(T(1), X); }
template <typename T> T expintE1(T X) { return -std::expint(-X); }
template <typename T> T expintEi(T X) { return std::expint(X); }
/// By Newton's method.
template <typename T> T lambertW0(T X) {
  T W = 0;
  for (int Step = 0; Step < 50; ++Step)
    W -= (W * std::exp(W) - X) / ((W + 1) * std::exp(W));
  return W;
}
/// DLMF 5.5.2, 5.5.4, 5.11.2
template <typename T> T digamma(T X) {
  if (X <= 0)
    return digamma(1 - X) - std::numbers::pi_v<T> / std::tan(std::numbers::pi_v<T> * X);
  T Sum = 0;
  for (; X < 60; X += 1)
    Sum -= 1 / X;
  const T S = 1 / (X * X);
  return Sum + std::log(X) - 1 / (2 * X) -
         S * (1 / T(12) - S * (1 / T(120) - S * (1 / T(252) - S * (1 / T(240) - S / T(132)))));
}
template <typename T> T xlogy(T X, T Y) { return X == 0 ? 0 : X * std::log(Y); }
template <typename T> T xlog1py(T X, T Y) { return X == 0 ? 0 : X * std::log1p(Y); }
template <typename T> T saturate(T X) { return std::fmin(std::fmax(X, T(0)), T(1)); }
template <typename T> T rem2pi(T X, int) { return std::remainder(X, 2 * std::numbers::pi_v<T>); }
template <typename T> T norm3d(T X, T Y, T Z) { return std::hypot(X, Y, Z); }
template <typename T> T rnorm3d(T X, T Y, T Z) { return 1 / std::hypot(X, Y, Z); }

/// DLMF 8.7.1
template <typename T> T incompleteGammaP(T A, T X) {
  T Sum = 0, Term = std::exp(A * std::log(X) - X - std::lgamma(A + 1));
  for (int K = 1; K < 120; ++K, Term *= X / (A + K - 1))
    Sum += Term;
  return Sum;
}
template <typename T> T incompleteGammaQ(T A, T X) { return 1 - incompleteGammaP(A, X); }
/// DLMF 8.17.8
template <typename T> T incompleteBeta(T A, T B, T X) {
  T Sum = 0, Term = std::exp(A * std::log(X) + B * std::log1p(-X) + std::lgamma(A + B) -
                             std::lgamma(A + 1) - std::lgamma(B));
  for (int K = 1; K < 300; ++K, Term *= X * (A + B + K - 2) / (A + K - 1))
    Sum += Term;
  return Sum;
}

} // namespace rulecheck

#endif
