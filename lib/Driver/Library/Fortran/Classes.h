//===- Classes.h - Variables whose type is known at run time --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A `class` variable that is allocated takes a type: that of the statement, or that of the value.
// Its descriptor has the table of this type behind the dimensions. FortranBodies has bodies for
// types that are no more than the bytes of their components.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_CLASSES_H
#define ISOZYME_LIBRARY_FORTRAN_CLASSES_H

#include "Records.h"

/// FortranBodies answers: the table of the type that the first variable takes.
extern "C" const char *isozyme_table() __attribute__((const));

namespace isozyme::fortran {

struct TypeOfElements {
  const char *Table;
  long Lengths;
};

inline TypeOfElements *typeOf(Descriptor *D) {
  return reinterpret_cast<TypeOfElements *>(&D->Dim[isozyme_first_rank()]);
}

inline void takeType(Descriptor *D, unsigned char Attribute) {
  D->ElementSize = isozyme_element_size(D->ElementSize);
  D->Version = 20240719;
  D->Rank = (unsigned char)isozyme_first_rank();
  D->Type = 42;
  D->Attribute = Attribute;
  D->Extra = 1;
  typeOf(D)->Table = isozyme_table();
  typeOf(D)->Lengths = 0;
}

/// The bounds of a mold, as many as both have. Those that the statement tells come afterwards.
inline void takeMold(Descriptor *D, const Descriptor *Mold, unsigned char Attribute) {
  if (elementKind() == ElementKind::Unknown)
    takeType(D, Attribute); // Numbers are what the variable is declared to have.
  unrolled(isozyme_rank(D->Rank), [=]<int K>() {
    if (K < Mold->Rank)
      D->Dim[K] = Mold->Dim[K];
  });
}

/// The declared type comes back, for those who ask for the type of a variable without an object.
inline int releaseObject(Descriptor *D, unsigned char Attribute) {
  release(D);
  if (isozyme_first_rank() >= 0) // Else one does not know where the table is.
    takeType(D, Attribute);
  return 0;
}

} // namespace isozyme::fortran

extern "C" {

void _FortranAAllocatableInitDerivedForAllocate(Descriptor *D, const void *, int, int) {
  if (!D->Base)
    isozyme::fortran::takeType(D, isozyme::fortran::AllocatableAttribute);
}
void _FortranAPointerNullifyDerived(Descriptor *D, const void *, int, int) {
  D->Base = nullptr;
  isozyme::fortran::takeType(D, isozyme::fortran::PointerAttribute);
}
void _FortranAAllocatableApplyMold(Descriptor *D, const Descriptor *Mold, int) {
  if (!D->Base)
    isozyme::fortran::takeMold(D, Mold, isozyme::fortran::AllocatableAttribute);
}
void _FortranAPointerApplyMold(Descriptor *D, const Descriptor *Mold, int) {
  isozyme::fortran::takeMold(D, Mold, isozyme::fortran::PointerAttribute);
}
int _FortranAAllocatableDeallocatePolymorphic(Descriptor *D, const void *, bool, const Descriptor *,
                                              const char *, int) {
  return isozyme::fortran::releaseObject(D, isozyme::fortran::AllocatableAttribute);
}
int _FortranAPointerDeallocatePolymorphic(Descriptor *D, const void *, bool, const Descriptor *,
                                          const char *, int) {
  return isozyme::fortran::releaseObject(D, isozyme::fortran::PointerAttribute);
}
/// Of one object: FortranBodies knows no other.
void _FortranAAssignPolymorphic(Descriptor *To, const Descriptor *From, const char *, int) {
  if (To->Base && isozyme::fortran::typeOf(To)->Table == isozyme_table())
    return isozyme::fortran::copy(To, From);
  char *Old = To->Base;
  isozyme::fortran::takeType(To, isozyme::fortran::AllocatableAttribute);
  To->Base = isozyme::fortran::allocateBytes(To->ElementSize);
  isozyme::fortran::copy(To, From); // Before the old object goes: it may be what is assigned.
  __builtin_free(Old);
}

} // extern "C"

#endif
