//===- Records.h - Derived types with allocatable components --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records are made, assigned and released component by component. The type says which
// components there are. This file declares functions that ask for them. In the copy of a body
// for one type, FortranBodies replaces their calls by the answers.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIBRARY_FORTRAN_RECORDS_H
#define ISOZYME_LIBRARY_FORTRAN_RECORDS_H

#include "Assignment.h"

/// FortranBodies answers: does the type of the elements have allocatable components?
extern "C" bool isozyme_is_deep() __attribute__((const));
/// Makes new memory a record without anything allocated.
extern "C" void isozyme_initialize_components(char *Record);
/// The functions that are passed are called for each allocatable component: the first for
/// numbers, the second for records.
extern "C" void isozyme_release_components(char *Record, void (*)(Descriptor *),
                                           void (*)(Descriptor *));
extern "C" void isozyme_assign_components(char *To, const char *From,
                                          void (*)(Descriptor *, const Descriptor *),
                                          void (*)(Descriptor *, const Descriptor *));
/// In the copy of these for a component, the questions above are about its own elements.
extern "C" void isozyme_release_records(Descriptor *D);
extern "C" void isozyme_assign_records(Descriptor *To, const Descriptor *From);

extern "C" inline void isozyme_release_component(Descriptor *D) { isozyme::fortran::release(D); }

namespace isozyme::fortran {

inline void copyDescriptor(Descriptor *To, const Descriptor *From, int Rank) {
  To->Base = From->Base;
  copyForm(To, From);
  unrolled(Rank, [=]<int K>() {
    To->Dim[K].Lower = From->Dim[K].Lower;
    To->Dim[K].Extent = From->Dim[K].Extent;
    To->Dim[K].Stride = From->Dim[K].Stride;
  });
}

/// By way of local descriptors: behind one that is a component of a record are other components,
/// which going through its dimensions must not seem to come upon.
inline void assignApart(Descriptor *To, const Descriptor *From) {
  int Rank = isozyme_first_rank(), FromRank = isozyme_second_rank();
  if (Rank < 0 || FromRank < 0)
    return assign(To, From);
  Descriptor Target, Source;
  copyDescriptor(&Target, To, Rank);
  copyDescriptor(&Source, From, FromRank);
  assign(&Target, &Source);
  if (Target.Attribute == AllocatableAttribute)
    copyDescriptor(To, &Target, Rank);
}

} // namespace isozyme::fortran

/// \p To may be in a new record, where only the address is set.
extern "C" inline void isozyme_assign_component(Descriptor *To, const Descriptor *From) {
  if (To->Base && isozyme::fortran::hasOtherLength(To, From))
    isozyme::fortran::release(To);
  isozyme::fortran::copyForm(To, From);
  if (From->Base)
    isozyme::fortran::assignApart(To, From);
  else
    isozyme::fortran::release(To);
}

namespace isozyme::fortran {

inline char *recordAt(const Descriptor *D, long Number) {
  long Size = isozyme_element_size(D->ElementSize);
  return isozyme_rank(D->Rank) ? D->Base + elementOffset(D, Number, Size) * Size : D->Base;
}

inline long recordCount(const Descriptor *D) { return isozyme_rank(D->Rank) ? count(D) : 1; }

inline void initializeRecords(const Descriptor *D) {
  long Count = recordCount(D);
  for (long N = 0; N < Count; ++N)
    isozyme_initialize_components(recordAt(D, N));
}

inline void releaseRecords(const Descriptor *D) {
  long Count = recordCount(D);
  for (long N = 0; N < Count; ++N)
    isozyme_release_components(recordAt(D, N), isozyme_release_component, isozyme_release_records);
}

/// Of the same type; a scalar is the value of all elements.
inline void assignOtherRecords(Descriptor *To, const Descriptor *From) {
  bool SameRank = To->Rank == From->Rank;
  if (To->Attribute == AllocatableAttribute && (!To->Base || (SameRank && !hasShapeOf(To, From)))) {
    if (To->Base) {
      releaseRecords(To);
      __builtin_free(To->Base);
    }
    setShape(To, From);
    To->ElementSize = From->ElementSize;
    allocate(To);
    initializeRecords(To);
  }
  long Count = recordCount(To);
  for (long N = 0; N < Count; ++N)
    isozyme_assign_components(recordAt(To, N), SameRank ? recordAt(From, N) : From->Base,
                              isozyme_assign_component, isozyme_assign_records);
}

/// list = list(2:), list = list(n:1:-1): all are read before one is assigned or released. What is
/// not allocated has no bounds, and overlaps nothing.
inline void assignRecords(Descriptor *To, const Descriptor *From) {
  if (!isozyme_rank(To->Rank) || To->Rank != From->Rank || !To->Base || !overlap(To, From))
    return assignOtherRecords(To, From);
  Descriptor Copy;
  copyForm(&Copy, From);
  setShape(&Copy, From);
  allocate(&Copy);
  initializeRecords(&Copy);
  assignOtherRecords(&Copy, From);
  assignOtherRecords(To, &Copy);
  releaseRecords(&Copy);
  __builtin_free(Copy.Base);
}

/// By way of a local descriptor, as above, where the rank is known.
template <class Callback>
[[gnu::always_inline]] inline void apart(Descriptor *D, int Rank, Callback Do) {
  if (Rank < 0)
    return Do(D);
  Descriptor Local;
  copyDescriptor(&Local, D, Rank);
  Do(&Local);
  copyDescriptor(D, &Local, Rank);
}

inline void assignRecordsApart(Descriptor *To, const Descriptor *From) {
  int Rank = isozyme_first_rank(), FromRank = isozyme_second_rank();
  if (Rank < 0 || FromRank < 0)
    return assignRecords(To, From);
  Descriptor Source;
  copyDescriptor(&Source, From, FromRank);
  apart(To, Rank, [&](Descriptor *Target) { assignRecords(Target, &Source); });
}

inline void assignAny(Descriptor *To, const Descriptor *From) {
  if (isozyme_is_deep())
    assignRecordsApart(To, From);
  else
    assignApart(To, From);
}

inline void allocateAny(Descriptor *D) {
  apart(D, isozyme_first_rank(), [](Descriptor *New) {
    allocate(New);
    if (isozyme_is_deep())
      initializeRecords(New);
  });
}

inline void releaseAny(Descriptor *D) {
  if (isozyme_is_deep() && D->Base)
    apart(D, isozyme_first_rank(), [](Descriptor *Old) { releaseRecords(Old); });
  release(D);
}

inline void move(Descriptor *To, Descriptor *From) {
  setShape(To, From);
  for (int K = 0; K < To->Rank; ++K)
    To->Dim[K].Stride = From->Dim[K].Stride;
  To->ElementSize = From->ElementSize;
  To->Base = From->Base;
  From->Base = nullptr;
}

} // namespace isozyme::fortran

extern "C" inline void isozyme_release_records(Descriptor *D) { isozyme::fortran::releaseAny(D); }

extern "C" inline void isozyme_assign_records(Descriptor *To, const Descriptor *From) {
  if (From->Base)
    isozyme::fortran::assignRecordsApart(To, From);
  else
    isozyme::fortran::releaseAny(To);
}

extern "C" {

void _FortranAAssign(Descriptor *To, const Descriptor *From, const char *, int) {
  isozyme::fortran::assignAny(To, From);
}
void _FortranAAssignTemporary(Descriptor *To, const Descriptor *From, const char *, int) {
  isozyme::fortran::assignAny(To, From);
}
/// Without `final` procedures.
void _FortranAFinalize(const Descriptor *, const char *, int) {}
void _FortranADestroy(const Descriptor *D) { isozyme::fortran::releaseRecords(D); }
void _FortranAInitialize(const Descriptor *D, const char *, int) {
  isozyme::fortran::initializeRecords(D);
}
int _FortranAAllocatableAllocate(Descriptor *D, long *, bool, const Descriptor *, const char *, int,
                                 void *) {
  isozyme::fortran::allocateAny(D);
  return 0;
}
int _FortranAPointerAllocate(Descriptor *D, bool, const Descriptor *, const char *, int, void *) {
  isozyme::fortran::allocateAny(D);
  return 0;
}
int _FortranAAllocatableDeallocate(Descriptor *D, bool, const Descriptor *, const char *, int) {
  isozyme::fortran::releaseAny(D);
  return 0;
}
int _FortranAPointerDeallocate(Descriptor *D, bool, const Descriptor *, const char *, int) {
  isozyme::fortran::releaseAny(D);
  return 0;
}
int _FortranAMoveAlloc(Descriptor *To, Descriptor *From, const void *, bool, const Descriptor *,
                       const char *, int) {
  isozyme::fortran::releaseAny(To);
  isozyme::fortran::apart(To, isozyme_first_rank(), [=](Descriptor *Target) {
    isozyme::fortran::apart(From, isozyme_second_rank(),
                            [=](Descriptor *Source) { isozyme::fortran::move(Target, Source); });
  });
  return 0;
}

} // extern "C"

#endif
