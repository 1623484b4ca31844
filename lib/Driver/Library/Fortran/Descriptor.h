//===- Descriptor.h - How flang describes an array ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout of CFI_cdesc_t, which the standard (18.5.3) and the ABI of flang fix: where an
// array starts, how large an element is, and extent and distance per dimension. Elements are
// visited column by column, by number: what a reverse sweep has to know again can then be
// computed from a loop's counter.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_DESCRIPTOR_H
#define ISOZYME_LIBRARY_FORTRAN_DESCRIPTOR_H

/// FortranBodies puts constants here where it knows them; else they are the parameter.
extern "C" long isozyme_element_size(long) __attribute__((const));
extern "C" int isozyme_rank(int) __attribute__((const));
/// The rank of the first and of the second descriptor that is passed; -1, if it is not known, or
/// the first is not of an allocatable variable.
extern "C" int isozyme_first_rank() __attribute__((const));
extern "C" int isozyme_second_rank() __attribute__((const));

namespace isozyme::fortran {

struct Dimension {
  long Lower, Extent;
  long Stride; ///< In bytes.
};

enum : unsigned char { PointerAttribute = 1, AllocatableAttribute = 2 };

/// Always passed by pointer: there are as many dimensions as the rank says, no more.
struct Descriptor {
  char *Base;
  long ElementSize;
  int Version;
  unsigned char Rank;
  signed char Type;
  unsigned char Attribute, Extra;
  Dimension Dim[15];
};

inline long rows(const Descriptor *D) { return D->Rank ? D->Dim[0].Extent : 1; }

inline long columns(const Descriptor *D) {
  long Count = 1;
  for (int K = 1; K < D->Rank; ++K)
    Count *= D->Dim[K].Extent;
  return Count;
}

inline long count(const Descriptor *D) { return rows(D) * columns(D); }

/// How many units of \p Unit bytes lie between two elements along a dimension.
inline long strideIn(const Dimension &D, long Unit);

/// From the start of the array to that of a column, in units of \p Unit bytes.
inline long columnOffset(const Descriptor *D, long Column, long Unit) {
  long Offset = 0;
  for (int K = 1; K < D->Rank; ++K) {
    Offset += Column % D->Dim[K].Extent * strideIn(D->Dim[K], Unit);
    Column /= D->Dim[K].Extent;
  }
  return Offset;
}

inline long elementOffset(const Descriptor *D, long Number, long Unit) {
  if (!D->Rank)
    return 0;
  long Rows = rows(D);
  return columnOffset(D, Number / Rows, Unit) + Number % Rows * strideIn(D->Dim[0], Unit);
}

/// Does element follow element, without a gap?
inline bool isContiguous(const Descriptor *D) {
  long Expected = D->ElementSize;
  for (int K = 0; K < D->Rank; ++K) {
    if (D->Dim[K].Extent > 1 && D->Dim[K].Stride != Expected)
      return false;
    Expected *= D->Dim[K].Extent;
  }
  return true;
}

inline void setExtent(Descriptor *D, int Dim, long Extent) {
  D->Dim[Dim].Extent = Extent > 0 ? Extent : 0;
}

/// Calls \p Do with the number of each dimension, as a constant. Lower bounds are only
/// accessed like this: stepping through them, one might come upon the base address.
template <int K = 0, class Callback> void unrolled(int Rank, Callback Do) {
  if (K >= Rank)
    return;
  Do.template operator()<K>();
  if constexpr (K < 14)
    unrolled<K + 1>(Rank, Do);
}

inline char *allocateBytes(long Bytes) {
  return static_cast<char *>(__builtin_malloc(Bytes > 0 ? Bytes : 1));
}

/// Memory for an array whose extents are set.
inline void allocate(Descriptor *D) {
  long Stride = D->ElementSize;
  for (int K = 0; K < D->Rank; ++K) {
    D->Dim[K].Stride = Stride;
    Stride *= D->Dim[K].Extent;
  }
  D->Base = allocateBytes(Stride);
}

/// The same, with lower bounds of 1.
inline void allocateFromOne(Descriptor *D) {
  unrolled(isozyme_rank(D->Rank), [=]<int K>() { D->Dim[K].Lower = 1; });
  allocate(D);
}

inline void release(Descriptor *D) {
  __builtin_free(D->Base);
  D->Base = nullptr;
}

/// Element \p Number of an array of integers of any size.
inline long integerAt(const Descriptor *D, long Number) {
  long Offset = elementOffset(D, Number, 1);
  switch (D->ElementSize) {
  case 1:
    return *(const signed char *)(D->Base + Offset);
  case 2:
    return *(const short *)(D->Base + Offset);
  case 4:
    return *(const int *)(D->Base + Offset);
  default:
    return *(const long *)(D->Base + Offset);
  }
}

/// Element \p Number of an array of logicals; a scalar is all its elements, and no array is true.
inline bool isSelected(const Descriptor *Mask, long Number) {
  return !Mask || integerAt(Mask, Number) != 0;
}

inline void setInteger(char *At, long ElementSize, long Value) {
  switch (ElementSize) {
  case 1:
    *(signed char *)At = Value;
    break;
  case 2:
    *(short *)At = Value;
    break;
  case 4:
    *(int *)At = Value;
    break;
  default:
    *(long *)At = Value;
  }
}

} // namespace isozyme::fortran

#endif
