//===- Forall.h - Values that `forall` keeps until it assigns --*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `forall (i = 1:n) p(i) = q(n + 1 - i)` on records computes all values before it assigns the
// first. flang puts them on a stack of the library's, and takes them from there by their number.
// So it does with descriptors of what is assigned, where the addresses are read from memory, as
// in `forall (i = 1:n) r%p(i) = x(i)` with an allocatable component.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_FORALL_H
#define ISOZYME_LIBRARY_FORTRAN_FORALL_H

#include "Assignment.h"

namespace isozyme::fortran {

struct ValueStack {
  char **Values;
  long Count, Room;
};

inline void push(ValueStack *Stack, const Descriptor *Value) {
  if (Stack->Count == Stack->Room) {
    Stack->Room = Stack->Room ? 2 * Stack->Room : 16;
    Stack->Values =
        static_cast<char **>(__builtin_realloc(Stack->Values, Stack->Room * sizeof(char *)));
  }
  Descriptor Copy;
  allocateCopy(&Copy, Value);
  Stack->Values[Stack->Count++] = Copy.Base;
}

/// Nothing of \p Value need be set before. It is not an array (FortranBodies).
inline void valueAt(const ValueStack *Stack, long Number, Descriptor *Value) {
  constexpr signed char DerivedType = 42;
  Value->Base = Stack->Values[Number];
  Value->ElementSize = isozyme_element_size(0);
  Value->Rank = 0;
  Value->Type = DerivedType;
}

/// Each has its own memory, so that two descriptors need not be alike.
struct DescriptorStack {
  Descriptor **Kept;
  long Count, Room;
};

/// All of an array that has no type of its own: numbers.
inline void copyDescriptor(Descriptor *To, const Descriptor *From) {
  To->Base = From->Base;
  copyForm(To, From);
  for (int K = 0; K < From->Rank; ++K) {
    To->Dim[K].Lower = From->Dim[K].Lower;
    To->Dim[K].Extent = From->Dim[K].Extent;
    To->Dim[K].Stride = From->Dim[K].Stride;
  }
}

inline void push(DescriptorStack *Stack, const Descriptor *D) {
  if (Stack->Count == Stack->Room) {
    Stack->Room = Stack->Room ? 2 * Stack->Room : 16;
    Stack->Kept = static_cast<Descriptor **>(
        __builtin_realloc(Stack->Kept, Stack->Room * sizeof(Descriptor *)));
  }
  const long Header = sizeof(Descriptor) - sizeof(Descriptor::Dim);
  auto *Copy =
      static_cast<Descriptor *>(__builtin_malloc(Header + D->Rank * long(sizeof(Dimension))));
  copyDescriptor(Copy, D);
  Stack->Kept[Stack->Count++] = Copy;
}

} // namespace isozyme::fortran

extern "C" {

void *_FortranACreateDescriptorStack(const char *, int) {
  using isozyme::fortran::DescriptorStack;
  auto *Stack = static_cast<DescriptorStack *>(__builtin_malloc(sizeof(DescriptorStack)));
  Stack->Kept = nullptr;
  Stack->Count = Stack->Room = 0;
  return Stack;
}
void _FortranAPushDescriptor(void *Stack, const Descriptor *D) {
  isozyme::fortran::push(static_cast<isozyme::fortran::DescriptorStack *>(Stack), D);
}
void _FortranADescriptorAt(void *Stack, long Number, Descriptor *D) {
  isozyme::fortran::copyDescriptor(
      D, static_cast<isozyme::fortran::DescriptorStack *>(Stack)->Kept[Number]);
}
void _FortranADestroyDescriptorStack(void *Stack) {
  auto *Old = static_cast<isozyme::fortran::DescriptorStack *>(Stack);
  for (long N = 0; N < Old->Count; ++N)
    __builtin_free(Old->Kept[N]);
  __builtin_free(Old->Kept);
  __builtin_free(Old);
}

void *_FortranACreateValueStack(const char *, int) {
  using isozyme::fortran::ValueStack;
  auto *Stack = static_cast<ValueStack *>(__builtin_malloc(sizeof(ValueStack)));
  Stack->Values = nullptr;
  Stack->Count = Stack->Room = 0;
  return Stack;
}
void _FortranAPushValue(void *Stack, const Descriptor *Value) {
  isozyme::fortran::push(static_cast<isozyme::fortran::ValueStack *>(Stack), Value);
}
void _FortranAValueAt(void *Stack, long Number, Descriptor *Value) {
  isozyme::fortran::valueAt(static_cast<isozyme::fortran::ValueStack *>(Stack), Number, Value);
}
void _FortranADestroyValueStack(void *Stack) {
  auto *Old = static_cast<isozyme::fortran::ValueStack *>(Stack);
  for (long N = 0; N < Old->Count; ++N)
    __builtin_free(Old->Values[N]);
  __builtin_free(Old->Values);
  __builtin_free(Old);
}

} // extern "C"

#endif
