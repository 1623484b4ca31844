//===- Folds.h - Arrays reduced by functions of the program ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   s = reduce(x, f)   ->  call double @_FortranAReduceReal8Ref(ptr %x, ptr @f, ...)
//
// Element by element, as flang's library goes through them. What is reduced to, or a line, may have
// no elements: then it is the identity, which is 0 if there is none.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_FOLDS_H
#define ISOZYME_LIBRARY_FORTRAN_FOLDS_H

#include "Reductions.h"

namespace isozyme::fortran {

template <class T> T apply(T (*F)(const T *, const T *), T A, T B) { return F(&A, &B); }
template <class T> T apply(T (*F)(T, T), T A, T B) { return F(A, B); }

/// Goes on with \p Value, if \p Any element was before.
template <class T, class F> void foldLine(const Line<T> &L, F Operation, T &Value, bool &Any) {
  for (long K = 0; K < L.Count; ++K) {
    if (!L.has(K))
      continue;
    Value = Any ? apply(Operation, Value, L.get(K)) : L.get(K);
    Any = true;
  }
}

template <class T> T identity(const T *Given) { return Given ? *Given : T(); }

template <class T, class F>
T fold(const Descriptor *D, F Operation, const Descriptor *Mask, const T *Identity) {
  T Value = identity(Identity);
  bool Any = false;
  long Columns = columns(D);
  for (long C = 0; C < Columns; ++C)
    foldLine(column<T>(D, Mask, C), Operation, Value, Any);
  return Value;
}

template <class T, class F>
void foldDim(Descriptor *Result, const Descriptor *D, F Operation, int Dim, const Descriptor *Mask,
             const T *Identity) {
  Result->ElementSize = D->ElementSize;
  alongDimension(Result, D, Dim, [=](long L, long First, long Inner) {
    T Value = identity(Identity);
    bool Any = false;
    foldLine(lineOf<T>(D, Mask, Dim, First, Inner), Operation, Value, Any);
    Numbers<T> N{Result};
    N.set(L, Value);
  });
}

} // namespace isozyme::fortran

extern "C" {
#define ISOZYME_FOLD(KIND, T, FORM, ...)                                                           \
  T _FortranAReduceReal##KIND##FORM(const Descriptor *D, T (*Operation)(__VA_ARGS__),              \
                                    const char *, int, int, const Descriptor *Mask,                \
                                    const T *Identity, bool) {                                     \
    return isozyme::fortran::fold<T>(D, Operation, Mask, Identity);                                \
  }                                                                                                \
  void _FortranAReduceReal##KIND##Dim##FORM(                                                       \
      Descriptor *Result, const Descriptor *D, T (*Operation)(__VA_ARGS__), const char *, int,     \
      int Dim, const Descriptor *Mask, const T *Identity, bool) {                                  \
    isozyme::fortran::foldDim<T>(Result, D, Operation, Dim, Mask, Identity);                       \
  }
ISOZYME_FOLD(4, float, Ref, const float *, const float *)
ISOZYME_FOLD(4, float, Value, float, float)
ISOZYME_FOLD(8, double, Ref, const double *, const double *)
ISOZYME_FOLD(8, double, Value, double, double)
#undef ISOZYME_FOLD
}

#endif
