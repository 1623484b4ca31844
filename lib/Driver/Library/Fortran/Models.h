//===- Models.h - Exponents and fractions of numbers ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   scale(x, 3)   ->  call double @_FortranAScale8(double, i64)
//
// By functions of C's library, whose derivatives are known. The exponent of a number is an integer,
// through which no derivative goes.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_MODELS_H
#define ISOZYME_LIBRARY_FORTRAN_MODELS_H

namespace isozyme::fortran {

inline float scaled(float X, long By) { return __builtin_scalblnf(X, By); }
inline double scaled(double X, long By) { return __builtin_scalbln(X, By); }
inline long double scaled(long double X, long By) { return __builtin_scalblnl(X, By); }

inline float fraction(float X, int *Exponent) { return __builtin_frexpf(X, Exponent); }
inline double fraction(double X, int *Exponent) { return __builtin_frexp(X, Exponent); }
inline long double fraction(long double X, int *Exponent) { return __builtin_frexpl(X, Exponent); }

template <class T> T fractionOf(T X) {
  int Exponent;
  return fraction(X, &Exponent);
}

} // namespace isozyme::fortran

extern "C" {
using isozyme::fortran::fractionOf, isozyme::fortran::scaled;
float _FortranAScale4(float X, long By) { return scaled(X, By); }
double _FortranAScale8(double X, long By) { return scaled(X, By); }
long double _FortranAScale10(long double X, long By) { return scaled(X, By); }
float _FortranAFraction4(float X) { return fractionOf(X); }
double _FortranAFraction8(double X) { return fractionOf(X); }
long double _FortranAFraction10(long double X) { return fractionOf(X); }
float _FortranASetExponent4(float X, long To) { return scaled(fractionOf(X), To); }
double _FortranASetExponent8(double X, long To) { return scaled(fractionOf(X), To); }
long double _FortranASetExponent10(long double X, long To) { return scaled(fractionOf(X), To); }
float _FortranANearest4(float X, bool Up) {
  return __builtin_nextafterf(X, Up ? __builtin_inff() : -__builtin_inff());
}
double _FortranANearest8(double X, bool Up) {
  return __builtin_nextafter(X, Up ? __builtin_inf() : -__builtin_inf());
}
long double _FortranANearest10(long double X, bool Up) {
  return __builtin_nextafterl(X, Up ? __builtin_infl() : -__builtin_infl());
}
float _FortranARRSpacing4(float X) { return __builtin_fabsf(scaled(fractionOf(X), 24)); }
double _FortranARRSpacing8(double X) { return __builtin_fabs(scaled(fractionOf(X), 53)); }
long double _FortranARRSpacing10(long double X) {
  return __builtin_fabsl(scaled(fractionOf(X), 64));
}
}

#endif
