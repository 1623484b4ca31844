//===- Powers.h - Complex numbers to integer powers ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   z**n   ->  call { double, double } @_FortranAzpowi(double, double, i32)
//
// As flang's library computes them: by squares.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_POWERS_H
#define ISOZYME_LIBRARY_FORTRAN_POWERS_H

#include "Elements.h"

namespace isozyme::fortran {

/// \p C: a complex number as C has it, of parts of type \p T.
template <class T, class C> C power(C Z, long N) {
  Complex<T> Base = {__real__ Z, __imag__ Z}, Result = {1, 0};
  for (unsigned long Left = N < 0 ? 0 - static_cast<unsigned long>(N) : N; Left; Left >>= 1) {
    if (Left & 1)
      Result = Result * Base;
    if (Left > 1)
      Base = Base * Base;
  }
  if (N < 0) {
    T Norm = Result.Re * Result.Re + Result.Im * Result.Im;
    Result = {Result.Re / Norm, -Result.Im / Norm};
  }
  C Power;
  __real__ Power = Result.Re;
  __imag__ Power = Result.Im;
  return Power;
}

using CDouble = _Complex double;
using CFloat = _Complex float;

} // namespace isozyme::fortran

extern "C" {
using isozyme::fortran::CDouble, isozyme::fortran::CFloat, isozyme::fortran::power;
CDouble _FortranAzpowi(CDouble Z, int N) { return power<double>(Z, N); }
CDouble _FortranAzpowk(CDouble Z, long N) { return power<double>(Z, N); }
CFloat _FortranAcpowi(CFloat Z, int N) { return power<float>(Z, N); }
CFloat _FortranAcpowk(CFloat Z, long N) { return power<float>(Z, N); }
}

#endif
