//===- Rearrangement.h - Intrinsics that move elements --------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spread, transpose, reshape, pack, unpack, cshift, eoshift, and array constructors. The
// result is allocated here, as flang expects; its descriptor comes with type and rank.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_REARRANGEMENT_H
#define ISOZYME_LIBRARY_FORTRAN_REARRANGEMENT_H

#include "Assignment.h"

namespace isozyme::fortran {

inline void spread(Descriptor *Result, const Descriptor *Source, int Dim, long Copies) {
  Copies = Copies > 0 ? Copies : 0;
  long Inner = 1; // Elements that stay together.
  for (int K = 0; K < Result->Rank; ++K) {
    long Extent = K + 1 == Dim ? Copies : Source->Dim[K + 1 < Dim ? K : K - 1].Extent;
    if (K + 1 < Dim)
      Inner *= Extent;
    setExtent(Result, K, Extent);
  }
  long Size = Source->ElementSize, Bytes = Inner * Size;
  Result->ElementSize = Size;
  allocateFromOne(Result);
  char *Elements = gathered(Source);
  long Outer = Inner ? count(Source) / Inner : 0;
  withElementType([=](auto Type) {
    using T = decltype(Type);
    using P = Part<T>;
    long Unit = unitOf<T>(Size), Step = Inner * (Size / Unit) * (sizeof(T) == 1 ? Unit : 1);
    for (long O = 0; O < Outer; ++O)
      for (long C = 0; C < Copies; ++C)
        __builtin_memcpy((P *)Result->Base + (O * Copies + C) * Step, (P *)Elements + O * Step,
                         Bytes);
  });
  __builtin_free(Elements);
}

inline void transpose(Descriptor *Result, const Descriptor *Matrix) {
  long Rows = Matrix->Dim[0].Extent, Columns = Matrix->Dim[1].Extent;
  setExtent(Result, 0, Columns);
  setExtent(Result, 1, Rows);
  long Size = Matrix->ElementSize;
  Result->ElementSize = Size;
  allocateFromOne(Result);
  withElementType([=](auto Type) {
    using T = decltype(Type);
    Numbers<T> In{Matrix}, Out{Result};
    long Down = strideIn(Matrix->Dim[0], In.Unit), Across = strideIn(Matrix->Dim[1], In.Unit);
    for (long R = 0; R < Rows; ++R)
      for (long C = 0; C < Columns; ++C)
        copyElement<T>(Out.packed(R * Columns + C), In.at(R * Down + C * Across), Size);
  });
}

/// Where element \p Number, counted with the dimensions in \p Order, is in the result.
inline long reorderedOffset(const Descriptor *Result, const Descriptor *Order, long Number,
                            long Unit) {
  long Offset = 0;
  for (int K = 0; K < Result->Rank; ++K) {
    const Dimension &D = Result->Dim[integerAt(Order, K) - 1];
    Offset += Number % D.Extent * strideIn(D, Unit);
    Number /= D.Extent;
  }
  return Offset;
}

inline void reshape(Descriptor *Result, const Descriptor *Source, const Descriptor *Shape,
                    const Descriptor *Pad, const Descriptor *Order) {
  for (int K = 0; K < Result->Rank; ++K)
    setExtent(Result, K, integerAt(Shape, K));
  long Size = Source->ElementSize;
  Result->ElementSize = Size;
  allocateFromOne(Result);
  long Wanted = count(Result), There = count(Source);
  long FromSource = There < Wanted ? There : Wanted;
  withElementType([=](auto Type) {
    using T = decltype(Type);
    Numbers<T> In{Source}, More{Pad, In.Unit}, Out{Result};
    auto place = [=](long N) {
      return Order ? Out.at(reorderedOffset(Result, Order, N, Out.Unit)) : Out.packed(N);
    };
    for (long N = 0; N < FromSource; ++N)
      copyElement<T>(place(N), In.place(N), Size);
    if (There >= Wanted)
      return;
    long PadCount = count(Pad);
    for (long N = There; N < Wanted; ++N)
      copyElement<T>(place(N), More.place((N - There) % PadCount), Size);
  });
}

inline void pack(Descriptor *Result, const Descriptor *Source, const Descriptor *Mask,
                 const Descriptor *Vector) {
  long Count = count(Source), Selected = 0;
  for (long N = 0; N < Count; ++N)
    Selected += isSelected(Mask, N);
  setExtent(Result, 0, Vector ? Vector->Dim[0].Extent : Selected);
  long Size = Source->ElementSize;
  Result->ElementSize = Size;
  allocateFromOne(Result);
  withElementType([=](auto Type) {
    using T = decltype(Type);
    Numbers<T> In{Source}, Rest{Vector, In.Unit}, Out{Result};
    long At = 0;
    for (long N = 0; N < Count; ++N)
      if (isSelected(Mask, N)) {
        copyElement<T>(Out.packed(At), In.place(N), Size);
        ++At;
      }
    if (Vector)
      for (long N = Selected; N < Vector->Dim[0].Extent; ++N)
        copyElement<T>(Out.packed(N), Rest.place(N), Size);
  });
}

inline void unpack(Descriptor *Result, const Descriptor *Vector, const Descriptor *Mask,
                   const Descriptor *Field) {
  for (int K = 0; K < Result->Rank; ++K)
    setExtent(Result, K, Mask->Dim[K].Extent);
  long Size = Vector->ElementSize;
  Result->ElementSize = Size;
  allocateFromOne(Result);
  withElementType([=](auto Type) {
    using T = decltype(Type);
    Numbers<T> In{Vector}, Else{Field}, Out{Result};
    long Count = count(Result), At = 0;
    for (long N = 0; N < Count; ++N)
      if (isSelected(Mask, N)) {
        copyElement<T>(Out.packed(N), In.place(At), Size);
        ++At;
      } else {
        copyElement<T>(Out.packed(N), Else.place(N), Size);
      }
  });
}

/// An array of the shape of \p Source in which elements have moved along one dimension, the
/// lines of which are moved by \p ShiftOf(number of the line); `Around`: those that leave it
/// come back, else the boundary comes in.
template <bool Around, class Shift>
void shift(Descriptor *Result, const Descriptor *Source, const Descriptor *Boundary, int Dim,
           Shift ShiftOf) {
  long Inner = 1, Extent = Source->Dim[Dim - 1].Extent, Size = Source->ElementSize;
  for (int K = 0; K < Result->Rank; ++K) {
    setExtent(Result, K, Source->Dim[K].Extent);
    if (K < Dim - 1)
      Inner *= Source->Dim[K].Extent;
  }
  Result->ElementSize = Size;
  allocateFromOne(Result);
  long Count = count(Source), Lines = Extent ? Count / Extent : 0;
  withElementType([=](auto Type) {
    using T = decltype(Type);
    Numbers<T> In{Source}, Outside{Boundary, In.Unit}, Out{Result};
    for (long L = 0; L < Lines; ++L) {
      long First = L % Inner + L / Inner * Inner * Extent, By = ShiftOf(L);
      for (long K = 0; K < Extent; ++K) {
        auto *To = Out.packed(First + K * Inner);
        long From = K + By;
        if (Around)
          From = (From % Extent + Extent) % Extent;
        if (From >= 0 && From < Extent)
          copyElement<T>(To, In.place(First + From * Inner), Size);
        else if (Boundary)
          copyElement<T>(To, Outside.place(L), Size);
        else
          clearElement<T>(To, Size);
      }
    }
  });
}

/// What is known of an array constructor that is not finished.
struct ArrayConstructor {
  Descriptor *To;
  long Next, Allocated;
  const char *File;
  int Line;
  unsigned char UsesLengths;
};

inline void beginConstructor(ArrayConstructor *C, Descriptor *To, bool UsesLengths,
                             const char *File, int Line) {
  C->To = To;
  C->Next = 0;
  C->Allocated = To->Base ? To->Dim[0].Extent : 0;
  C->File = File;
  C->Line = Line;
  C->UsesLengths = UsesLengths;
}

/// Makes room for \p More elements.
inline void growConstructor(ArrayConstructor *C, long More) {
  Descriptor *To = C->To;
  long Needed = C->Next + More, Size = To->ElementSize;
  if (!To->Base || C->Allocated < Needed) {
    long Room = 2 * C->Allocated > Needed ? 2 * C->Allocated : Needed;
    if (!To->Base && To->Dim[0].Extent > Room)
      Room = To->Dim[0].Extent;
    char *New = allocateBytes(Room * Size);
    if (To->Base)
      isozyme_copy_elements(New, nullptr, To->Base, nullptr, C->Next, 1, Size);
    __builtin_free(To->Base);
    To->Base = New;
    To->Dim[0].Stride = Size;
    C->Allocated = Room;
  }
  if (To->Dim[0].Extent < Needed)
    setExtent(To, 0, Needed);
  To->Dim[0].Lower = 1;
}

/// \p Count elements that lie as \p Shape says.
inline void pushElements(ArrayConstructor *C, const char *From, const Descriptor *Shape, long Rows,
                         long Columns) {
  long Count = Rows * Columns;
  growConstructor(C, Count);
  withElementType([=](auto Type) {
    Numbers<decltype(Type)> Out{C->To};
    isozyme_copy_elements((char *)Out.packed(C->Next), nullptr, From, Shape, Rows, Columns,
                          C->To->ElementSize);
  });
  C->Next += Count;
}

/// The bytes of \p Source as an array (or one) of elements like \p Mold. Both consist of floats of
/// type \p P, which may be parts of complex numbers. \p Count: of elements; -1: as many as there
/// are.
template <class P>
void transferFloats(Descriptor *Result, const Descriptor *Source, const Descriptor *Mold,
                    long Count) {
  const long Parts = Source->ElementSize / long(sizeof(P)), Given = count(Source) * Parts;
  const long Wanted = Mold->ElementSize / long(sizeof(P));
  Result->ElementSize = Mold->ElementSize;
  if (Result->Rank)
    setExtent(Result, 0, Count < 0 ? (Given + Wanted - 1) / Wanted : Count);
  allocateFromOne(Result);
  const long Numbers = count(Result) * Wanted;
  P *To = (P *)Result->Base;
  for (long K = 0; K < Numbers; ++K)
    To[K] = K < Given ? ((P *)Source->Base)[elementOffset(Source, K / Parts, sizeof(P)) + K % Parts]
                      : P();
}

/// False: nothing of it is a float.
inline bool transfer(Descriptor *Result, const Descriptor *Source, const Descriptor *Mold,
                     long Count) {
  switch (elementKind()) {
  case ElementKind::Real4:
  case ElementKind::Complex4:
    transferFloats<float>(Result, Source, Mold, Count);
    return true;
  case ElementKind::Real8:
  case ElementKind::Complex8:
    transferFloats<double>(Result, Source, Mold, Count);
    return true;
  default:
    return false;
  }
}

} // namespace isozyme::fortran

using isozyme::fortran::ArrayConstructor;

extern "C" {

void _FortranASpread(Descriptor *Result, const Descriptor *Source, int Dim, long Copies,
                     const char *, int) {
  isozyme::fortran::spread(Result, Source, Dim, Copies);
}
void _FortranATranspose(Descriptor *Result, const Descriptor *Matrix, const char *, int) {
  isozyme::fortran::transpose(Result, Matrix);
}
void _FortranAReshape(Descriptor *Result, const Descriptor *Source, const Descriptor *Shape,
                      const Descriptor *Pad, const Descriptor *Order, const char *, int) {
  isozyme::fortran::reshape(Result, Source, Shape, Pad, Order);
}
void _FortranAPack(Descriptor *Result, const Descriptor *Source, const Descriptor *Mask,
                   const Descriptor *Vector, const char *, int) {
  isozyme::fortran::pack(Result, Source, Mask, Vector);
}
void _FortranAUnpack(Descriptor *Result, const Descriptor *Vector, const Descriptor *Mask,
                     const Descriptor *Field, const char *, int) {
  isozyme::fortran::unpack(Result, Vector, Mask, Field);
}
void _FortranACshift(Descriptor *Result, const Descriptor *Source, const Descriptor *Shift, int Dim,
                     const char *, int) {
  isozyme::fortran::shift<true>(Result, Source, nullptr, Dim, [=](long Line) {
    return isozyme::fortran::integerAt(Shift, Line);
  });
}
void _FortranACshiftVector(Descriptor *Result, const Descriptor *Source, long Shift, const char *,
                           int) {
  isozyme::fortran::shift<true>(Result, Source, nullptr, 1, [=](long) { return Shift; });
}
void _FortranAEoshift(Descriptor *Result, const Descriptor *Source, const Descriptor *Shift,
                      const Descriptor *Boundary, int Dim, const char *, int) {
  isozyme::fortran::shift<false>(Result, Source, Boundary, Dim, [=](long Line) {
    return isozyme::fortran::integerAt(Shift, Line);
  });
}
void _FortranAEoshiftVector(Descriptor *Result, const Descriptor *Source, long Shift,
                            const Descriptor *Boundary, const char *, int) {
  isozyme::fortran::shift<false>(Result, Source, Boundary, 1, [=](long) { return Shift; });
}

void _FortranATransfer(Descriptor *Result, const Descriptor *Source, const Descriptor *Mold,
                       const char *File, int Line) {
  if (!isozyme::fortran::transfer(Result, Source, Mold, -1))
    isozyme_plain_FortranATransfer(Result, Source, Mold, File, Line);
}
void _FortranATransferSize(Descriptor *Result, const Descriptor *Source, const Descriptor *Mold,
                           const char *File, int Line, long Count) {
  if (!isozyme::fortran::transfer(Result, Source, Mold, Count))
    isozyme_plain_FortranATransferSize(Result, Source, Mold, File, Line, Count);
}

void _FortranAInitArrayConstructorVector(ArrayConstructor *C, Descriptor *To, bool UsesLengths,
                                         const char *File, int Line) {
  isozyme::fortran::beginConstructor(C, To, UsesLengths, File, Line);
}
void _FortranAPushArrayConstructorValue(ArrayConstructor *C, const Descriptor *From) {
  using namespace isozyme::fortran;
  pushElements(C, From->Base, shapeOf(From), rows(From), columns(From));
}
void _FortranAPushArrayConstructorSimpleScalar(ArrayConstructor *C, void *From) {
  isozyme::fortran::pushElements(C, static_cast<const char *>(From), nullptr, 1, 1);
}

} // extern "C"

#endif
