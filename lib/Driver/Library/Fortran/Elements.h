//===- Elements.h - Elements of an array as numbers -----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies are written once for all types. In the copy that is used with one kind of elements,
// elementKind() is a constant, and what is for other kinds disappears: derivatives see loads
// and stores of floats. Distances are counted in floats where elements consist of such, so
// that it can be seen that one never starts in the middle of another.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_ELEMENTS_H
#define ISOZYME_LIBRARY_FORTRAN_ELEMENTS_H

#include "Descriptor.h"
#include "ElementKind.h"

/// FortranBodies puts a constant here.
extern "C" int isozyme_element_kind() __attribute__((const));
/// Of the first and the second descriptor, where these may differ.
extern "C" int isozyme_first_kind() __attribute__((const));
extern "C" int isozyme_second_kind() __attribute__((const));
/// FortranBodies answers: are the elements records, of which it knows the components?
extern "C" bool isozyme_is_record() __attribute__((const));
/// The components of one such record, each by its type.
extern "C" void isozyme_copy_components(char *To, const char *From);
extern "C" void _FortranAReportFatalUserError(const char *, const char *, int);

namespace isozyme::fortran {

inline ElementKind elementKind() { return ElementKind(isozyme_element_kind()); }

inline long strideIn(const Dimension &D, long Unit) {
  if (Unit > 8 && D.Stride % Unit)
    _FortranAReportFatalUserError("isozyme: cannot differentiate an array of records that are "
                                  "parts of larger ones; assign them one by one",
                                  "isozyme", 0);
  return D.Stride / Unit;
}

template <class T> struct Complex {
  T Re, Im;
  Complex operator+(Complex B) const { return {Re + B.Re, Im + B.Im}; }
  Complex operator*(Complex B) const { return {Re * B.Re - Im * B.Im, Re * B.Im + Im * B.Re}; }
};

/// The floats that an element consists of.
template <class T> struct PartOf {
  using Type = T;
};
template <class T> struct PartOf<Complex<T>> {
  using Type = T;
};
template <class T> using Part = typename PartOf<T>::Type;

template <class T> T load(const Part<T> *At) {
  if constexpr (sizeof(T) == sizeof(Part<T>))
    return *At;
  else
    return {At[0], At[1]};
}

template <class T> void store(Part<T> *At, T Value) {
  if constexpr (sizeof(T) == sizeof(Part<T>)) {
    *At = Value;
  } else {
    At[0] = Value.Re;
    At[1] = Value.Im;
  }
}

/// Offsets are counted in such units: records (of T = char) by the element, if they are large.
template <class T> long unitOf(long ElementSize) {
  if (sizeof(T) > 1)
    return sizeof(Part<T>);
  long Size = isozyme_element_size(ElementSize);
  return Size > 8 ? Size : Size % 4 == 0 ? 4 : 1;
}

/// The elements of an array, as numbers of type \p T. An optional array is told its unit: a choice
/// of two would hide how far elements are apart.
template <class T> struct Numbers {
  const Descriptor *D;
  long Unit = unitOf<T>(D->ElementSize);
  Part<T> *at(long Offset) const {
    return (Part<T> *)D->Base + (sizeof(T) == 1 ? Offset * Unit : Offset);
  }
  long column(long Column) const { return columnOffset(D, Column, Unit); }
  long row() const { return D->Rank ? strideIn(D->Dim[0], Unit) : 0; }
  long element(long Number) const { return elementOffset(D, Number, Unit); }
  T get(long Offset) const { return load<T>(at(Offset)); }
  void set(long Offset, T Value) const { store<T>(at(Offset), Value); }
  /// Element \p Number, wherever it is; and where elements follow each other.
  Part<T> *place(long Number) const { return at(element(Number)); }
  Part<T> *packed(long Number) const { return at(Number * (D->ElementSize / Unit)); }
};

/// Calls \p Do with a number of the type of the elements; with one of type char for bytes.
template <class Callback> void withElementType(Callback Do) {
  switch (elementKind()) {
  case ElementKind::Real4:
    return Do(float());
  case ElementKind::Real8:
    return Do(double());
  case ElementKind::Complex4:
    return Do(Complex<float>());
  case ElementKind::Complex8:
    return Do(Complex<double>());
  default:
    return Do(char());
  }
}

/// The same for those that can be added; integers by their size.
template <class Callback> void withNumberType(long Size, Callback Do) {
  switch (elementKind()) {
  case ElementKind::Unknown:
    return;
  case ElementKind::Integer:
    return Size == 1   ? Do((signed char)0)
           : Size == 2 ? Do(short())
           : Size == 4 ? Do(int())
                       : Do(long());
  default:
    return withElementType(Do);
  }
}

/// One element; of \p Size bytes, if T is char.
template <class T> void copyElement(Part<T> *To, const Part<T> *From, long Size) {
  if constexpr (sizeof(T) == 1) {
    if (isozyme_is_record())
      isozyme_copy_components(To, From);
    else
      __builtin_memcpy(To, From, Size);
  } else {
    store<T>(To, load<T>(From));
  }
}

template <class T> void clearElement(Part<T> *To, long Size) {
  if constexpr (sizeof(T) == 1)
    __builtin_memset(To, 0, Size);
  else
    store<T>(To, T());
}

/// How far a column is from the start, and elements from each other, in units of \p Unit bytes.
/// Without a shape, one element follows the other.
struct Distances {
  const Descriptor *Shape;
  long Rows, Size, Unit;
  long column(long C) const {
    return Shape ? columnOffset(Shape, C, Unit) : C * Rows * (Size / Unit);
  }
  long row() const { return Shape ? strideIn(Shape->Dim[0], Unit) : Size / Unit; }
};

template <class T>
void copyColumns(char *To, const Descriptor *ToShape, const char *From, const Descriptor *FromShape,
                 long Rows, long Columns, long Size) {
  using P = Part<T>;
  long Unit = unitOf<T>(Size), Scale = sizeof(T) == 1 ? Unit : 1;
  Distances Out = {ToShape, Rows, Size, Unit}, In = {FromShape, Rows, Size, Unit};
  long ToStep = Out.row(), FromStep = In.row();
  for (long C = 0; C < Columns; ++C) {
    P *ToColumn = (P *)To + Out.column(C) * Scale;
    const P *FromColumn = (const P *)From + In.column(C) * Scale;
    if (ToStep * Unit == Size && FromStep == ToStep && !isozyme_is_record()) {
      __builtin_memcpy(ToColumn, FromColumn, Rows * Size);
      continue;
    }
    for (long K = 0; K < Rows; ++K)
      copyElement<T>(ToColumn + K * ToStep * Scale, FromColumn + K * FromStep * Scale, Size);
  }
}

} // namespace isozyme::fortran

/// Copies elements that lie as the shapes say, or one after the other where there is none.
/// The one function that bodies share, for it is large. Both \p To and \p From lead to elements.
extern "C" __attribute__((noinline)) inline void
isozyme_copy_elements(char *To, const isozyme::fortran::Descriptor *ToShape, const char *From,
                      const isozyme::fortran::Descriptor *FromShape, long Rows, long Columns,
                      long Size) {
  using namespace isozyme::fortran;
  if (!ToShape && !FromShape && !isozyme_is_record()) {
    __builtin_memcpy(To, From, Rows * Columns * Size);
    return;
  }
  withElementType([=](auto Type) {
    using T = decltype(Type);
    copyColumns<T>(To, ToShape, From, FromShape, Rows, Columns, Size);
  });
}

namespace isozyme::fortran {

/// Null, if one element follows the other.
inline const Descriptor *shapeOf(const Descriptor *D) { return isContiguous(D) ? nullptr : D; }

/// All elements, one after the other.
inline void gather(char *To, const Descriptor *From) {
  isozyme_copy_elements(To, nullptr, From->Base, shapeOf(From), rows(From), columns(From),
                        From->ElementSize);
}

inline void scatter(const Descriptor *To, const char *From) {
  isozyme_copy_elements(To->Base, shapeOf(To), From, nullptr, rows(To), columns(To),
                        To->ElementSize);
}

/// A copy of all elements, to be freed.
inline char *gathered(const Descriptor *From) {
  char *Copy = allocateBytes(count(From) * From->ElementSize);
  gather(Copy, From);
  return Copy;
}

} // namespace isozyme::fortran

#endif
