//===- Bessel.h - Bessel functions of several orders at once ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   b = bessel_jn(n1, n2, x)   ->  call void @_FortranABesselJn_8(ptr %b, i32 %n1, i32 %n2,
//                                      double %x, double %jn2, double %jn2m1, ...)
//
// As flang's library computes them: from the functions of two orders, which the program passes, by
// b(n - 1) + b(n + 1) = 2 n / x * b(n).
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_BESSEL_H
#define ISOZYME_LIBRARY_FORTRAN_BESSEL_H

#include "Elements.h"

namespace isozyme::fortran {

template <class T> T *ordersFrom(Descriptor *Result, long First, long Last) {
  Result->ElementSize = sizeof(T);
  setExtent(Result, 0, Last - First + 1);
  allocateFromOne(Result);
  return (T *)Result->Base;
}

/// From the last order down, where that is stable.
template <class T>
void besselJ(Descriptor *Result, long First, long Last, T X, T AtLast, T BeforeLast) {
  T *Order = ordersFrom<T>(Result, First, Last);
  if (First <= Last)
    Order[Last - First] = AtLast;
  if (First < Last)
    Order[Last - First - 1] = BeforeLast;
  for (long N = Last - 2; N >= First; --N)
    Order[N - First] = 2 / X * T(N + 1) * Order[N - First + 1] - Order[N - First + 2];
}

template <class T>
void besselY(Descriptor *Result, long First, long Last, T X, T AtFirst, T AtSecond) {
  T *Order = ordersFrom<T>(Result, First, Last);
  if (First <= Last)
    Order[0] = AtFirst;
  if (First < Last)
    Order[1] = AtSecond;
  for (long N = First + 2; N <= Last; ++N)
    Order[N - First] = 2 / X * T(N - 1) * Order[N - First - 1] - Order[N - First - 2];
}

template <class T> void besselAtZero(Descriptor *Result, long First, long Last, T Zeroth, T Other) {
  T *Order = ordersFrom<T>(Result, First, Last);
  for (long N = First; N <= Last; ++N)
    Order[N - First] = N ? Other : Zeroth;
}

} // namespace isozyme::fortran

extern "C" {
#define ISOZYME_BESSEL(KIND, T)                                                                    \
  void _FortranABesselJn_##KIND(Descriptor *Result, int First, int Last, T X, T AtLast,            \
                                T BeforeLast, const char *, int) {                                 \
    isozyme::fortran::besselJ<T>(Result, First, Last, X, AtLast, BeforeLast);                      \
  }                                                                                                \
  void _FortranABesselYn_##KIND(Descriptor *Result, int First, int Last, T X, T AtFirst,           \
                                T AtSecond, const char *, int) {                                   \
    isozyme::fortran::besselY<T>(Result, First, Last, X, AtFirst, AtSecond);                       \
  }                                                                                                \
  void _FortranABesselJnX0_##KIND(Descriptor *Result, int First, int Last, const char *, int) {    \
    isozyme::fortran::besselAtZero<T>(Result, First, Last, 1, 0);                                  \
  }                                                                                                \
  void _FortranABesselYnX0_##KIND(Descriptor *Result, int First, int Last, const char *, int) {    \
    isozyme::fortran::besselAtZero<T>(Result, First, Last, -__builtin_inf(), -__builtin_inf());    \
  }
ISOZYME_BESSEL(4, float)
ISOZYME_BESSEL(8, double)
#undef ISOZYME_BESSEL
}

#endif
