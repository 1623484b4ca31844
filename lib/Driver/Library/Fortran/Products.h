//===- Products.h - matmul and dot_product --------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both factors of a matrix product are copied first: the copies are never written again, so
// that a reverse sweep reads them instead of a tape of all multiplications.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_PRODUCTS_H
#define ISOZYME_LIBRARY_FORTRAN_PRODUCTS_H

#include "Elements.h"

namespace isozyme::fortran {

template <class T> T conjugate(T X) { return X; }
template <class T> Complex<T> conjugate(Complex<T> X) { return {X.Re, -X.Im}; }

template <class T> struct IsPair {
  static constexpr bool Value = false;
};
template <class T> struct IsPair<Complex<T>> {
  static constexpr bool Value = true;
};

/// What a number of type \p From is among those of type \p To; the real part, where it is none.
template <class To, class From> To widen(From X) {
  if constexpr (!IsPair<To>::Value && IsPair<From>::Value)
    return X.Re;
  else if constexpr (sizeof(To) == sizeof(Part<To>))
    return X;
  else if constexpr (sizeof(From) == sizeof(Part<From>))
    return {Part<To>(X), 0};
  else
    return {Part<To>(X.Re), Part<To>(X.Im)};
}

template <class X, class Y> struct Product2 {
  using Type = decltype(Part<X>() + Part<Y>());
};
template <class X, class Y> struct Product2<Complex<X>, Y> {
  using Type = Complex<decltype(X() + Part<Y>())>;
};
template <class X, class Y> struct Product2<X, Complex<Y>> {
  using Type = Complex<decltype(Part<X>() + Y())>;
};
template <class X, class Y> struct Product2<Complex<X>, Complex<Y>> {
  using Type = Complex<decltype(X() + Y())>;
};

/// A copy in element order (or row by row), to be freed.
template <class T, bool ByRow> Part<T> *copyOf(const Descriptor *D) {
  constexpr long Parts = sizeof(T) / sizeof(Part<T>);
  Part<T> *Copy = reinterpret_cast<Part<T> *>(allocateBytes(count(D) * long(sizeof(T))));
  Numbers<T> N{D};
  long Rows = rows(D), Columns = columns(D), Step = N.row();
  for (long C = 0; C < Columns; ++C) {
    long Start = N.column(C);
    for (long R = 0; R < Rows; ++R)
      store<T>(Copy + (ByRow ? R * Columns + C : C * Rows + R) * Parts, N.get(Start + R * Step));
  }
  return Copy;
}

/// `Transposed`: the first factor is the transpose of \p A. A vector is a row on the left, and a
/// column on the right.
template <class X, class Y, bool Transposed>
void multiply(const Descriptor *Result, const Descriptor *A, const Descriptor *B, long Rows,
              long Inner, long Columns) {
  using T = typename Product2<X, Y>::Type;
  constexpr long PX = sizeof(X) / sizeof(Part<X>), PY = sizeof(Y) / sizeof(Part<Y>);
  Part<X> *L = copyOf<X, !Transposed>(A); // Lines of both are multiplied.
  Part<Y> *R = copyOf<Y, false>(B);
  Numbers<T> Out{Result};
  long Row = Out.row();
  for (long J = 0; J < Columns; ++J) {
    long Start = A->Rank == 1 ? J * Row : Out.column(J);
    for (long I = 0; I < Rows; ++I) {
      T Total = T();
      for (long K = 0; K < Inner; ++K) {
        X U = load<X>(L + (I * Inner + K) * PX);
        Total = Total + widen<T>(U) * widen<T>(load<Y>(R + (J * Inner + K) * PY));
      }
      Out.set(Start + I * Row, Total);
    }
  }
  __builtin_free(L);
  __builtin_free(R);
}

template <class X, class Y, bool Transposed, bool Allocates>
void matmul(Descriptor *Result, const Descriptor *A, const Descriptor *B) {
  using T = typename Product2<X, Y>::Type;
  bool RowVector = A->Rank == 1, ColumnVector = B->Rank == 1;
  long Inner = B->Dim[0].Extent;
  long Rows = RowVector ? 1 : A->Dim[Transposed ? 1 : 0].Extent;
  long Columns = ColumnVector ? 1 : B->Dim[1].Extent;
  if (Allocates) {
    Result->ElementSize = sizeof(T);
    int Next = 0;
    if (!RowVector)
      setExtent(Result, Next++, Rows);
    if (!ColumnVector)
      setExtent(Result, Next, Columns);
    allocateFromOne(Result);
  }
  multiply<X, Y, Transposed>(Result, A, B, Rows, Inner, Columns);
}

/// Calls \p Do with a number of the type of the elements of \p D, which are of \p Kind; where
/// nobody knows it, they have to be like \p Usual, as flang numbers types.
template <class T, class Callback>
auto withFactorType(ElementKind Kind, const Descriptor *D, signed char Usual, Callback Do) {
  switch (Kind) {
  case ElementKind::Integer:
    return Do(long());
  case ElementKind::Real4:
    return Do(float());
  case ElementKind::Real8:
    return Do(double());
  case ElementKind::Complex4:
    return Do(Complex<float>());
  case ElementKind::Complex8:
    return Do(Complex<double>());
  case ElementKind::Unknown:
    if (D->Type != Usual)
      _FortranAReportFatalUserError("isozyme: cannot differentiate a dot_product of arrays of "
                                    "different types; convert one of them",
                                    "isozyme", 0);
    return Do(T());
  }
  __builtin_unreachable();
}

/// The elements of an array of one dimension; integers of any size are of type long.
template <class T> struct Factors {
  Numbers<T> Of;
  long Step = Of.row();
  T get(long K) const { return Of.get(K * Step); }
};
template <> struct Factors<long> {
  const Descriptor *Of;
  long get(long K) const { return integerAt(Of, K); }
};

template <class T, class X, class Y> T dotProductOf(const Descriptor *A, const Descriptor *B) {
  Factors<X> Left{A};
  Factors<Y> Right{B};
  T Total = T();
  long Count = A->Dim[0].Extent;
  for (long K = 0; K < Count; ++K)
    Total = Total + widen<T>(conjugate(Left.get(K))) * widen<T>(Right.get(K));
  return Total;
}

/// The factors may have another type than the result, one of them at a time.
template <class T> T dotProduct(const Descriptor *A, const Descriptor *B, signed char Usual) {
  return withFactorType<T>(ElementKind(isozyme_first_kind()), A, Usual, [=](auto X) {
    return withFactorType<T>(ElementKind(isozyme_second_kind()), B, Usual, [=](auto Y) {
      return dotProductOf<T, decltype(X), decltype(Y)>(A, B);
    });
  });
}

} // namespace isozyme::fortran

extern "C" {

#define ISOZYME_MATMUL_FORM(FORM, X, XT, Y, YT, TRANSPOSED, ALLOCATES)                             \
  void _FortranA##FORM##X##Y(Descriptor *Result, const Descriptor *A, const Descriptor *B,         \
                             const char *, int) {                                                  \
    using namespace isozyme::fortran;                                                              \
    matmul<XT, YT, TRANSPOSED, ALLOCATES>(Result, A, B);                                           \
  }
#define ISOZYME_MATMUL(X, XT, Y, YT)                                                               \
  ISOZYME_MATMUL_FORM(Matmul, X, XT, Y, YT, false, true)                                           \
  ISOZYME_MATMUL_FORM(MatmulDirect, X, XT, Y, YT, false, false)                                    \
  ISOZYME_MATMUL_FORM(MatmulTranspose, X, XT, Y, YT, true, true)                                   \
  ISOZYME_MATMUL_FORM(MatmulTransposeDirect, X, XT, Y, YT, true, false)
ISOZYME_MATMUL(Real4, float, Real4, float)
ISOZYME_MATMUL(Real4, float, Real8, double)
ISOZYME_MATMUL(Real8, double, Real4, float)
ISOZYME_MATMUL(Real8, double, Real8, double)
ISOZYME_MATMUL(Complex4, Complex<float>, Complex4, Complex<float>)
ISOZYME_MATMUL(Complex8, Complex<double>, Complex8, Complex<double>)
ISOZYME_MATMUL(Real4, float, Complex4, Complex<float>)
ISOZYME_MATMUL(Complex4, Complex<float>, Real4, float)
ISOZYME_MATMUL(Real8, double, Complex8, Complex<double>)
ISOZYME_MATMUL(Complex8, Complex<double>, Real8, double)
ISOZYME_MATMUL(Complex4, Complex<float>, Complex8, Complex<double>)
ISOZYME_MATMUL(Complex8, Complex<double>, Complex4, Complex<float>)
ISOZYME_MATMUL(Real4, float, Complex8, Complex<double>)
ISOZYME_MATMUL(Complex8, Complex<double>, Real4, float)
ISOZYME_MATMUL(Real8, double, Complex4, Complex<float>)
ISOZYME_MATMUL(Complex4, Complex<float>, Real8, double)
ISOZYME_MATMUL(Integer4, int, Real4, float)
ISOZYME_MATMUL(Integer4, int, Real8, double)
ISOZYME_MATMUL(Real4, float, Integer4, int)
ISOZYME_MATMUL(Real8, double, Integer4, int)
ISOZYME_MATMUL(Integer4, int, Complex8, Complex<double>)
ISOZYME_MATMUL(Complex8, Complex<double>, Integer4, int)
#undef ISOZYME_MATMUL
#undef ISOZYME_MATMUL_FORM

float _FortranADotProductReal4(const Descriptor *A, const Descriptor *B, const char *, int) {
  return isozyme::fortran::dotProduct<float>(A, B, 27);
}
double _FortranADotProductReal8(const Descriptor *A, const Descriptor *B, const char *, int) {
  return isozyme::fortran::dotProduct<double>(A, B, 28);
}
void _FortranACppDotProductComplex4(isozyme::fortran::Complex<float> *Result, const Descriptor *A,
                                    const Descriptor *B, const char *, int) {
  *Result = isozyme::fortran::dotProduct<isozyme::fortran::Complex<float>>(A, B, 34);
}
void _FortranACppDotProductComplex8(isozyme::fortran::Complex<double> *Result, const Descriptor *A,
                                    const Descriptor *B, const char *, int) {
  *Result = isozyme::fortran::dotProduct<isozyme::fortran::Complex<double>>(A, B, 35);
}

} // extern "C"

#endif
