//===- Assignment.h - Arrays are assigned and allocated -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What flang calls for `a = b` where a may have to be allocated, for copies of arguments that
// are not contiguous, and for `allocate` with a source where it does not do it in place.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_ASSIGNMENT_H
#define ISOZYME_LIBRARY_FORTRAN_ASSIGNMENT_H

#include "Elements.h"

namespace isozyme::fortran {

/// All but the address and the dimensions.
inline void copyForm(Descriptor *To, const Descriptor *From) {
  To->ElementSize = From->ElementSize;
  To->Version = From->Version;
  To->Rank = From->Rank;
  To->Type = From->Type;
  To->Attribute = From->Attribute;
  To->Extra = From->Extra;
}

/// Bounds of \p From, which \p To has the rank of.
inline void setShape(Descriptor *To, const Descriptor *From) {
  for (int K = 0; K < To->Rank; ++K)
    To->Dim[K].Extent = From->Dim[K].Extent;
  unrolled(isozyme_rank(To->Rank), [=]<int K>() { To->Dim[K].Lower = From->Dim[K].Lower; });
}

inline bool hasShapeOf(const Descriptor *To, const Descriptor *From) {
  for (int K = 0; K < To->Rank; ++K)
    if (To->Dim[K].Extent != From->Dim[K].Extent)
      return false;
  return true;
}

/// From the start to the first byte, and to the one behind the last.
inline long lowestByte(const Descriptor *D) {
  long At = 0;
  for (int K = 0; K < D->Rank; ++K)
    if (D->Dim[K].Stride < 0)
      At += (D->Dim[K].Extent - 1) * D->Dim[K].Stride;
  return At;
}
inline long behindBytes(const Descriptor *D) {
  long At = D->ElementSize;
  for (int K = 0; K < D->Rank; ++K)
    if (D->Dim[K].Stride > 0)
      At += (D->Dim[K].Extent - 1) * D->Dim[K].Stride;
  return At;
}
inline bool overlap(const Descriptor *A, const Descriptor *B) {
  return A->Base + lowestByte(A) < B->Base + behindBytes(B) &&
         B->Base + lowestByte(B) < A->Base + behindBytes(A);
}

/// \p Value may be an element of \p To.
inline void fill(const Descriptor *To, const char *Value) {
  withElementType([=](auto Type) {
    using T = decltype(Type);
    Numbers<T> Out{To};
    long Count = count(To), Size = To->ElementSize;
    auto *Copy = (Part<T> *)allocateBytes(Size);
    copyElement<T>(Copy, (const Part<T> *)Value, Size);
    for (long N = 0; N < Count; ++N)
      copyElement<T>(Out.place(N), Copy, Size);
    __builtin_free(Copy);
  });
}

inline void copy(const Descriptor *To, const Descriptor *From) {
  if (overlap(To, From)) {
    char *Copy = gathered(From);
    scatter(To, Copy);
    __builtin_free(Copy);
  } else {
    isozyme_copy_elements(To->Base, shapeOf(To), From->Base, shapeOf(From), rows(From),
                          columns(From), From->ElementSize);
  }
}

/// Text of deferred length takes the length of what it is assigned.
inline bool hasOtherLength(const Descriptor *To, const Descriptor *From) {
  auto Kind = ElementKind(isozyme_element_kind());
  bool MayBeText = Kind == ElementKind::Unknown || Kind == ElementKind::Integer;
  return MayBeText && To->ElementSize != From->ElementSize;
}

inline void assign(Descriptor *To, const Descriptor *From) {
  bool SameRank = To->Rank == From->Rank;
  if (To->Attribute == AllocatableAttribute && SameRank &&
      (!To->Base || !hasShapeOf(To, From) || hasOtherLength(To, From))) {
    char *Old = To->Base;
    setShape(To, From);
    To->ElementSize = From->ElementSize;
    allocate(To);
    gather(To->Base, From); // Before the old array goes: it may be what is assigned.
    __builtin_free(Old);
  } else if (SameRank) {
    copy(To, From);
  } else {
    fill(To, From->Base);
  }
}

/// A new array. Nothing of \p To need be set before: flang leaves the descriptor of such a copy to
/// the library.
inline void allocateCopy(Descriptor *To, const Descriptor *From) {
  copyForm(To, From);
  To->Attribute = AllocatableAttribute;
  setShape(To, From);
  allocate(To);
  gather(To->Base, From);
}

/// At constant distances: behind the descriptor there may be more of a record.
inline void setBounds(Descriptor *D, int Dim, long Lower, long Upper) {
  int Rank = isozyme_first_rank();
  unrolled(Rank < 0 ? isozyme_rank(15) : Rank, [=]<int K>() {
    if (K == Dim) {
      D->Dim[K].Lower = Lower;
      setExtent(D, K, Upper - Lower + 1);
    }
  });
}

/// The same array with other lower bounds: as they are, 1, or 0.
inline void copyDescriptor(Descriptor *To, const Descriptor *From, signed char Attribute,
                           int LowerBounds) {
  enum { Preserved, Ones };
  To->Base = From->Base;
  copyForm(To, From);
  To->Attribute = Attribute;
  unrolled(isozyme_rank(From->Rank), [=]<int K>() {
    To->Dim[K].Lower = LowerBounds == Preserved ? From->Dim[K].Lower : LowerBounds == Ones;
    To->Dim[K].Extent = From->Dim[K].Extent;
    To->Dim[K].Stride = From->Dim[K].Stride;
  });
}

/// With `source=`: the shape is set; a scalar is the value of all elements.
inline void allocateFrom(Descriptor *To, const Descriptor *From) {
  To->ElementSize = From->ElementSize;
  allocate(To);
  if (To->Rank == From->Rank)
    gather(To->Base, From);
  else
    fill(To, From->Base);
}

} // namespace isozyme::fortran

using isozyme::fortran::Descriptor;

extern "C" {

void _FortranACopyAndUpdateDescriptor(Descriptor *To, const Descriptor *From, const void *Type,
                                      signed char Attribute, int LowerBounds) {
  if (Type)
    _FortranAReportFatalUserError("isozyme: cannot differentiate a descriptor that takes another "
                                  "type",
                                  "isozyme", 0);
  isozyme::fortran::copyDescriptor(To, From, Attribute, LowerBounds);
}
void _FortranACopyInAssign(Descriptor *Temp, const Descriptor *From, const char *, int) {
  isozyme::fortran::allocateCopy(Temp, From);
}
void _FortranACopyOutAssign(Descriptor *To, Descriptor *Temp, const char *, int) {
  if (To)
    isozyme::fortran::scatter(To, Temp->Base);
  isozyme::fortran::release(Temp);
}
void _FortranAShallowCopyDirect(const Descriptor *To, const Descriptor *From, const char *, int) {
  isozyme::fortran::copy(To, From);
}
void _FortranAShallowCopy(Descriptor *To, const Descriptor *From, const char *, int) {
  isozyme::fortran::allocateCopy(To, From);
}

void _FortranAAllocatableSetBounds(Descriptor *D, int Dim, long Lower, long Upper) {
  isozyme::fortran::setBounds(D, Dim, Lower, Upper);
}
void _FortranAPointerSetBounds(Descriptor *D, int Dim, long Lower, long Upper) {
  isozyme::fortran::setBounds(D, Dim, Lower, Upper);
}
int _FortranAAllocatableAllocateSource(Descriptor *To, const Descriptor *From, bool,
                                       const Descriptor *, const char *, int) {
  isozyme::fortran::allocateFrom(To, From);
  return 0;
}
int _FortranAPointerAllocateSource(Descriptor *To, const Descriptor *From, bool, const Descriptor *,
                                   const char *, int) {
  isozyme::fortran::allocateFrom(To, From);
  return 0;
}

} // extern "C"

#endif
