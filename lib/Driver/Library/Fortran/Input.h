//===- Input.h - Arrays that flang's run time reads or makes up -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   read (unit, *) x         ->  call i1 @_FortranAioInputDescriptor(ptr %statement, ptr %x)
//   call random_number(x)    ->  call void @_FortranARandomNumber(ptr %x, ...)
//
// Numbers are read into memory of their own, as Prepare has single ones read (ReadApart.cpp), and
// then copied. What is not read (`1, , 3`) stays as it is.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_INPUT_H
#define ISOZYME_LIBRARY_FORTRAN_INPUT_H

#include "Elements.h"
#include "Plain.h"

namespace isozyme::fortran {

inline bool isNumber(double X) { return __builtin_bit_cast(long, X) != 0x7FF800000015020E; }
inline bool isNumber(float X) { return __builtin_bit_cast(int, X) != 0x7FD5020E; }
inline void clear(double *X) { *X = __builtin_bit_cast(double, 0x7FF800000015020E); }
inline void clear(float *X) { *X = __builtin_bit_cast(float, 0x7FD5020E); }

/// Calls \p Read with an array like \p D, in memory of its own, and copies what it sets, of
/// elements of \p Parts numbers.
template <class P, class Callback>
void readNumbers(const Descriptor *D, long Parts, Callback Read) {
  const long Numbers = count(D) * Parts;
  P *Input = (P *)allocateBytes(Numbers * long(sizeof(P)));
  for (long K = 0; K < Numbers; ++K)
    clear(&Input[K]);
  Descriptor Packed;
  Packed.Base = (char *)Input;
  Packed.ElementSize = D->ElementSize;
  Packed.Version = D->Version;
  Packed.Rank = D->Rank;
  Packed.Type = D->Type;
  Packed.Attribute = 0;
  Packed.Extra = 0;
  long Stride = D->ElementSize;
  for (int K = 0; K < D->Rank; ++K) {
    Packed.Dim[K] = {1, D->Dim[K].Extent, Stride};
    Stride *= D->Dim[K].Extent;
  }
  Read(&Packed);
  for (long K = 0; K < Numbers; ++K)
    if (isNumber(Input[K]))
      ((P *)D->Base)[elementOffset(D, K / Parts, sizeof(P)) + K % Parts] = Input[K];
  __builtin_free(Input);
}

/// The same, by the type of the elements; where these are no numbers, it is \p D that is set.
template <class Callback> void readApart(const Descriptor *D, Callback Read) {
  switch (elementKind()) {
  case ElementKind::Real4:
    return readNumbers<float>(D, 1, Read);
  case ElementKind::Real8:
    return readNumbers<double>(D, 1, Read);
  case ElementKind::Complex4:
    return readNumbers<float>(D, 2, Read);
  case ElementKind::Complex8:
    return readNumbers<double>(D, 2, Read);
  default:
    Read(D);
  }
}

} // namespace isozyme::fortran

extern "C" {

bool _FortranAioInputDescriptor(void *Statement, const Descriptor *D) {
  bool IsRead;
  isozyme::fortran::readApart(D, [&](const Descriptor *To) {
    IsRead = isozyme_plain_FortranAioInputDescriptor(Statement, To);
  });
  return IsRead;
}
void _FortranARandomNumber(const Descriptor *D, const char *File, int Line) {
  isozyme::fortran::readApart(
      D, [=](const Descriptor *To) { isozyme_plain_FortranARandomNumber(To, File, Line); });
}

} // extern "C"

#endif
