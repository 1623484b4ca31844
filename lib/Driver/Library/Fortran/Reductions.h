//===- Reductions.h - Intrinsics that make one number of many -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sum, product, maxval, minval, norm2, dot_product, with a mask and along a dimension, and
// the places of the largest and smallest element. Extrema are found first, without
// derivatives, and then read: the derivative goes to that one element.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_REDUCTIONS_H
#define ISOZYME_LIBRARY_FORTRAN_REDUCTIONS_H

#include "Elements.h"
#include "Plain.h"

namespace isozyme::fortran {

/// A part of an array: Count elements, Stride floats apart, which have the numbers
/// First + k * Step in the whole.
template <class T> struct Line {
  Numbers<T> Array;
  long Start, Stride, Count, First, Step;
  const Descriptor *Mask;
  T get(long K) const { return Array.get(Start + K * Stride); }
  bool has(long K) const { return isSelected(Mask, First + K * Step); }
};

template <class T> Line<T> column(const Descriptor *D, const Descriptor *Mask, long Column) {
  Numbers<T> N{D};
  return {N, N.column(Column), N.row(), rows(D), Column * rows(D), 1, Mask};
}

struct Sum {
  template <class T> static T start() { return T(); }
  template <class T> static void add(T &Total, const Line<T> &L) {
    if (!L.Mask) {
      for (long K = 0; K < L.Count; ++K)
        Total = Total + L.get(K);
      return;
    }
    for (long K = 0; K < L.Count; ++K)
      if (L.has(K))
        Total = Total + L.get(K);
  }
};

struct Product {
  template <class T> static T start() { return T{1}; }
  template <class T> static void add(T &Total, const Line<T> &L) {
    for (long K = 0; K < L.Count; ++K)
      if (L.has(K))
        Total = Total * L.get(K);
  }
};

/// All elements, by column.
template <class How, class T> T reduce(const Descriptor *D, const Descriptor *Mask) {
  T Total = How::template start<T>();
  long Columns = columns(D);
  for (long C = 0; C < Columns; ++C)
    How::add(Total, column<T>(D, Mask, C));
  return Total;
}

/// The number of the first (or last) largest (or smallest) element of a line that is no NaN; -1:
/// there is none.
template <bool Largest, class T> long extremumOf(const Line<T> &L, bool Last = false) {
  long Best = -1;
  for (long K = 0; K < L.Count; ++K) {
    if (!L.has(K))
      continue;
    T Value = L.get(K);
    if (Best < 0) {
      Best = K;
      continue;
    }
    T Old = L.get(Best);
    bool Better = Largest ? Value > Old : Value < Old;
    if (Better || Old != Old || (Last && Value == Old))
      Best = K;
  }
  return Best;
}

/// The same of a whole array.
template <bool Largest, class T>
long extremum(const Descriptor *D, const Descriptor *Mask, bool Last = false) {
  Numbers<T> N{D};
  long Rows = rows(D), Columns = columns(D), Best = -1;
  for (long C = 0; C < Columns; ++C) {
    Line<T> L = column<T>(D, Mask, C);
    long K = extremumOf<Largest>(L, Last);
    if (K < 0)
      continue;
    if (Best >= 0) {
      T Value = L.get(K), Old = N.get(N.element(Best));
      if (!(Largest ? Value > Old : Value < Old) && Old == Old && !(Last && Value == Old))
        continue;
    }
    Best = C * Rows + K;
  }
  return Best;
}

/// What maxval (minval) is of no elements.
template <bool Largest, class T> T ofNothing() {
  if constexpr (sizeof(T) == sizeof(float) && T(0.5) != T(0))
    return Largest ? -__FLT_MAX__ : __FLT_MAX__;
  else if constexpr (T(0.5) != T(0))
    return Largest ? -__DBL_MAX__ : __DBL_MAX__;
  else
    return T((1ul << (8 * sizeof(T) - 1)) - !Largest);
}

template <bool Largest, class T> T extremeValue(const Descriptor *D, const Descriptor *Mask) {
  long Number = extremum<Largest, T>(D, Mask);
  Numbers<T> N{D};
  return Number < 0 ? ofNothing<Largest, T>() : N.get(N.element(Number));
}

template <class T> struct IsComplex {
  static constexpr bool Value = false;
};
template <class T> struct IsComplex<Complex<T>> {
  static constexpr bool Value = true;
};

/// \p Reduce(type, array, mask, dimension, first element): each line along a dimension becomes
/// one element of the result, which is allocated.
template <class LineOf>
void alongDimension(Descriptor *Result, const Descriptor *D, int Dim, LineOf Reduce) {
  long Inner = 1, Lines = 1;
  for (int K = 0; K < D->Rank; ++K) {
    if (K + 1 == Dim)
      continue;
    setExtent(Result, K + 1 < Dim ? K : K - 1, D->Dim[K].Extent);
    Lines *= D->Dim[K].Extent;
    if (K + 1 < Dim)
      Inner *= D->Dim[K].Extent;
  }
  allocateFromOne(Result);
  for (long L = 0; L < Lines; ++L)
    Reduce(L, L % Inner + L / Inner * Inner * D->Dim[Dim - 1].Extent, Inner);
}

template <class T>
Line<T> lineOf(const Descriptor *D, const Descriptor *Mask, int Dim, long First, long Inner) {
  Numbers<T> N{D};
  const Dimension &Along = D->Dim[Dim - 1];
  long Start = Along.Extent ? N.element(First) : 0;
  return {N, Start, strideIn(Along, sizeof(Part<T>)), Along.Extent, First, Inner, Mask};
}

template <class How>
void reduceDim(Descriptor *Result, const Descriptor *D, int Dim, const Descriptor *Mask) {
  Result->ElementSize = D->ElementSize;
  withNumberType(D->ElementSize, [=](auto Type) {
    using T = decltype(Type);
    alongDimension(Result, D, Dim, [=](long L, long First, long Inner) {
      T Total = How::template start<T>();
      How::add(Total, lineOf<T>(D, Mask, Dim, First, Inner));
      Numbers<T> N{Result};
      N.set(L * long(sizeof(T) / sizeof(Part<T>)), Total);
    });
  });
}

template <bool Largest>
void extremeDim(Descriptor *Result, const Descriptor *D, int Dim, const Descriptor *Mask) {
  Result->ElementSize = D->ElementSize;
  withNumberType(D->ElementSize, [=](auto Type) {
    using T = decltype(Type);
    if constexpr (!IsComplex<T>::Value)
      alongDimension(Result, D, Dim, [=](long L, long First, long Inner) {
        Line<T> Here = lineOf<T>(D, Mask, Dim, First, Inner);
        long K = extremumOf<Largest>(Here);
        Numbers<T> N{Result};
        N.set(L, K < 0 ? ofNothing<Largest, T>() : Here.get(K));
      });
  });
}

template <bool Largest>
void placeDim(Descriptor *Result, const Descriptor *D, int Kind, int Dim, const Descriptor *Mask,
              bool Last) {
  Result->ElementSize = Kind;
  withNumberType(D->ElementSize, [=](auto Type) {
    using T = decltype(Type);
    if constexpr (!IsComplex<T>::Value)
      alongDimension(Result, D, Dim, [=](long L, long First, long Inner) {
        long K = extremumOf<Largest>(lineOf<T>(D, Mask, Dim, First, Inner), Last);
        setInteger(Result->Base + L * Kind, Kind, K + 1);
      });
  });
}

/// The subscripts of element \p Number, from 1; zeros if there is none.
inline void placeOf(Descriptor *Result, const Descriptor *D, int Kind, long Number) {
  Result->ElementSize = Kind;
  setExtent(Result, 0, D->Rank);
  allocateFromOne(Result);
  for (int K = 0; K < D->Rank; ++K) {
    setInteger(Result->Base + K * Kind, Kind, Number < 0 ? 0 : Number % D->Dim[K].Extent + 1);
    if (Number >= 0)
      Number /= D->Dim[K].Extent;
  }
}

template <bool Largest, class T>
void place(Descriptor *Result, const Descriptor *D, int Kind, const Descriptor *Mask, bool Last) {
  placeOf(Result, D, Kind, extremum<Largest, T>(D, Mask, Last));
}

/// The number of the first (or last) element of a line that is \p Target; -1: there is none.
template <class T> long numberOf(const Line<T> &L, T Target, bool Last) {
  long Found = -1;
  for (long K = 0; K < L.Count; ++K)
    if (L.has(K) && L.get(K) == Target && (Found < 0 || Last))
      Found = K;
  return Found;
}

/// The same along a dimension, in the form of placeDim.
template <class T>
void findDim(Descriptor *Result, const Descriptor *D, T Target, int Kind, int Dim,
             const Descriptor *Mask, bool Last) {
  Result->ElementSize = Kind;
  alongDimension(Result, D, Dim, [=](long L, long First, long Inner) {
    long K = numberOf<T>(lineOf<T>(D, Mask, Dim, First, Inner), Target, Last);
    setInteger(Result->Base + L * Kind, Kind, K + 1);
  });
}

/// The same of a whole array, in the form of place.
template <class T>
void find(Descriptor *Result, const Descriptor *D, T Target, int Kind, const Descriptor *Mask,
          bool Last) {
  long Number = -1, Columns = columns(D);
  for (long C = 0; C < Columns; ++C)
    if (long K = numberOf<T>(column<T>(D, Mask, C), Target, Last); K >= 0 && (Number < 0 || Last))
      Number = C * rows(D) + K;
  placeOf(Result, D, Kind, Number);
}

/// The squares of all elements, each times \p Scale before.
template <class T> T squaresOf(const Line<T> &L, T Total, T Scale) {
  for (long K = 0; K < L.Count; ++K) {
    T Value = L.get(K) * Scale;
    Total += Value * Value;
  }
  return Total;
}

/// The exponent of the largest absolute value: a constant to derivatives.
template <class T> int exponentOf(const Line<T> &L, int Largest) {
  for (long K = 0; K < L.Count; ++K) {
    T Value = L.get(K);
    if (Value == 0)
      continue;
    int Exponent = __builtin_ilogb(Value);
    Largest = Exponent > Largest ? Exponent : Largest;
  }
  return Largest;
}

/// The square root of the sum of squares of \p Count lines, each had by \p LineAt(number).
/// Where squares leave the range of the type, elements are scaled first.
template <class T, class Lines> T norm(long Count, Lines LineAt) {
  constexpr T Huge = sizeof(T) == 4 ? T(1e30) : T(1e290), Tiny = 1 / Huge;
  T Total = 0;
  for (long C = 0; C < Count; ++C)
    Total = squaresOf<T>(LineAt(C), Total, 1);
  if (Total > Tiny && Total < Huge)
    return __builtin_sqrt(Total);
  constexpr int None = -100000;
  int Exponent = None;
  for (long C = 0; C < Count; ++C)
    Exponent = exponentOf<T>(LineAt(C), Exponent);
  if (Exponent == None)
    return __builtin_sqrt(Total); // Zeros: or a NaN.
  T Scale = __builtin_ldexp(T(1), -Exponent);
  Total = 0;
  for (long C = 0; C < Count; ++C)
    Total = squaresOf<T>(LineAt(C), Total, Scale);
  return __builtin_ldexp(__builtin_sqrt(Total), Exponent);
}

template <class T> T norm(const Descriptor *D) {
  return norm<T>(columns(D), [=](long C) { return column<T>(D, nullptr, C); });
}

inline void normDim(Descriptor *Result, const Descriptor *D, int Dim) {
  Result->ElementSize = D->ElementSize;
  withElementType([=](auto Type) {
    using T = decltype(Type);
    if constexpr (!IsComplex<T>::Value && sizeof(T) != 1)
      alongDimension(Result, D, Dim, [=](long L, long First, long Inner) {
        Numbers<T> N{Result};
        N.set(L, norm<T>(1, [=](long) { return lineOf<T>(D, nullptr, Dim, First, Inner); }));
      });
  });
}

} // namespace isozyme::fortran

extern "C" {

#define ISOZYME_REAL(KIND, T)                                                                      \
  T _FortranASumReal##KIND(const Descriptor *D, const char *, int, int, const Descriptor *Mask) {  \
    return isozyme::fortran::reduce<isozyme::fortran::Sum, T>(D, Mask);                            \
  }                                                                                                \
  T _FortranAProductReal##KIND(const Descriptor *D, const char *, int, int,                        \
                               const Descriptor *Mask) {                                           \
    return isozyme::fortran::reduce<isozyme::fortran::Product, T>(D, Mask);                        \
  }                                                                                                \
  T _FortranAMaxvalReal##KIND(const Descriptor *D, const char *, int, int,                         \
                              const Descriptor *Mask) {                                            \
    return isozyme::fortran::extremeValue<true, T>(D, Mask);                                       \
  }                                                                                                \
  T _FortranAMinvalReal##KIND(const Descriptor *D, const char *, int, int,                         \
                              const Descriptor *Mask) {                                            \
    return isozyme::fortran::extremeValue<false, T>(D, Mask);                                      \
  }                                                                                                \
  void _FortranAMaxlocReal##KIND(Descriptor *Result, const Descriptor *D, int Kind, const char *,  \
                                 int, const Descriptor *Mask, bool Last) {                         \
    isozyme::fortran::place<true, T>(Result, D, Kind, Mask, Last);                                 \
  }                                                                                                \
  void _FortranAMinlocReal##KIND(Descriptor *Result, const Descriptor *D, int Kind, const char *,  \
                                 int, const Descriptor *Mask, bool Last) {                         \
    isozyme::fortran::place<false, T>(Result, D, Kind, Mask, Last);                                \
  }                                                                                                \
  T _FortranANorm2_##KIND(const Descriptor *D, const char *, int, int) {                           \
    return isozyme::fortran::norm<T>(D);                                                           \
  }                                                                                                \
  void _FortranACppSumComplex##KIND(isozyme::fortran::Complex<T> *Total, const Descriptor *D,      \
                                    const char *, int, int, const Descriptor *Mask) {              \
    using C = isozyme::fortran::Complex<T>;                                                        \
    *Total = isozyme::fortran::reduce<isozyme::fortran::Sum, C>(D, Mask);                          \
  }                                                                                                \
  void _FortranACppProductComplex##KIND(isozyme::fortran::Complex<T> *Total, const Descriptor *D,  \
                                        const char *, int, int, const Descriptor *Mask) {          \
    using C = isozyme::fortran::Complex<T>;                                                        \
    *Total = isozyme::fortran::reduce<isozyme::fortran::Product, C>(D, Mask);                      \
  }
ISOZYME_REAL(4, float)
ISOZYME_REAL(8, double)
#undef ISOZYME_REAL

void _FortranASumDim(Descriptor *Result, const Descriptor *D, int Dim, const char *, int,
                     const Descriptor *Mask) {
  isozyme::fortran::reduceDim<isozyme::fortran::Sum>(Result, D, Dim, Mask);
}
void _FortranAProductDim(Descriptor *Result, const Descriptor *D, int Dim, const char *, int,
                         const Descriptor *Mask) {
  isozyme::fortran::reduceDim<isozyme::fortran::Product>(Result, D, Dim, Mask);
}
void _FortranAMaxvalDim(Descriptor *Result, const Descriptor *D, int Dim, const char *, int,
                        const Descriptor *Mask) {
  isozyme::fortran::extremeDim<true>(Result, D, Dim, Mask);
}
void _FortranAMinvalDim(Descriptor *Result, const Descriptor *D, int Dim, const char *, int,
                        const Descriptor *Mask) {
  isozyme::fortran::extremeDim<false>(Result, D, Dim, Mask);
}
void _FortranANorm2Dim(Descriptor *Result, const Descriptor *D, int Dim, const char *, int) {
  isozyme::fortran::normDim(Result, D, Dim);
}
void _FortranAMaxlocDim(Descriptor *Result, const Descriptor *D, int Kind, int Dim, const char *,
                        int, const Descriptor *Mask, bool Last) {
  isozyme::fortran::placeDim<true>(Result, D, Kind, Dim, Mask, Last);
}
void _FortranAMinlocDim(Descriptor *Result, const Descriptor *D, int Kind, int Dim, const char *,
                        int, const Descriptor *Mask, bool Last) {
  isozyme::fortran::placeDim<false>(Result, D, Kind, Dim, Mask, Last);
}

/// Here the array and \p Target have the same type.
void _FortranAFindlocDim(Descriptor *Result, const Descriptor *D, const Descriptor *Target,
                         int Kind, int Dim, const char *File, int Line, const Descriptor *Mask,
                         bool Last) {
  using namespace isozyme::fortran;
  switch (elementKind()) {
  case ElementKind::Real4:
    return findDim<float>(Result, D, *(const float *)Target->Base, Kind, Dim, Mask, Last);
  case ElementKind::Real8:
    return findDim<double>(Result, D, *(const double *)Target->Base, Kind, Dim, Mask, Last);
  default:
    isozyme_plain_FortranAFindlocDim(Result, D, Target, Kind, Dim, File, Line, Mask, Last);
  }
}
void _FortranAFindloc(Descriptor *Result, const Descriptor *D, const Descriptor *Target, int Kind,
                      const char *File, int Line, const Descriptor *Mask, bool Last) {
  using namespace isozyme::fortran;
  switch (elementKind()) {
  case ElementKind::Real4:
    return find<float>(Result, D, *(const float *)Target->Base, Kind, Mask, Last);
  case ElementKind::Real8:
    return find<double>(Result, D, *(const double *)Target->Base, Kind, Mask, Last);
  default:
    isozyme_plain_FortranAFindloc(Result, D, Target, Kind, File, Line, Mask, Last);
  }
}

double _FortranAModReal8(double A, double P, const char *, int) { return __builtin_fmod(A, P); }
float _FortranAModReal4(float A, float P, const char *, int) { return __builtin_fmodf(A, P); }
double _FortranAModuloReal8(double A, double P, const char *, int) {
  double Rest = __builtin_fmod(A, P);
  return Rest != 0 && (Rest < 0) != (P < 0) ? Rest + P : Rest;
}
float _FortranAModuloReal4(float A, float P, const char *, int) {
  float Rest = __builtin_fmodf(A, P);
  return Rest != 0 && (Rest < 0) != (P < 0) ? Rest + P : Rest;
}

} // extern "C"

#endif
