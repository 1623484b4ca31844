//===- origins.h - Numbers that are moved as bytes ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that copies a structure does not say which of its bytes are numbers. A read
// of the copy does. So the first run of a check remembers, for each four bytes, where they
// were copied from. If they are read as a number, their origin is one too, and so are all
// other copies of it. Bytes that are never used as a number
// are none.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_ORIGINS_H
#define ISOZYME_CHECK_ORIGINS_H

#include "memory.h"

enum { CellBytes = 4, MostCells = 1 << 23 };

static int isNumberKind(int Kind) { return Kind >= KindFloat && Kind <= KindLongDouble; }

static Cell *cellAt(const Run *R, const char *P) {
  uint32_t *At = indexFind(&R->CellAt, (uintptr_t)P);
  return At ? &R->Cells[*At] : NULL;
}

static void setCell(Run *R, char *P, Cell New) {
  Cell *Known = cellAt(R, P);
  if (!Known && !New.Origin && !New.Kind)
    return;
  if (!Known && R->CellCount >= MostCells) {
    R->Lost = 1;
    return;
  }
  if (!Known) {
    int IsNew;
    *indexAt(&R->CellAt, (uintptr_t)P, &IsNew) = (uint32_t)R->CellCount;
    R->Cells = grown(R->Cells, R->CellCount, &R->CellRoom, sizeof *R->Cells);
    Known = &R->Cells[R->CellCount++];
  }
  *Known = New;
}

/// These bytes are written anew, or are other memory now.
static void forgetCells(Run *R, char *P, int64_t Size) {
  Cell None = {0, 0};
  if (!R->CellCount)
    return;
  uintptr_t First = (uintptr_t)P & ~(uintptr_t)(CellBytes - 1);
  for (uintptr_t At = First; At < (uintptr_t)P + (uintptr_t)Size; At += CellBytes)
    setCell(R, (char *)At, None);
}

/// The shadow of bytes that have been moved.
static char *looseShadow(const Run *R, uintptr_t P) {
  uint32_t *At = indexFind(&R->LooseAt, P);
  return At ? R->Looses[*At].Shadow : NULL;
}

static void noteLoose(Run *R, char *P, char *Shadow, int64_t Size) {
  for (int64_t K = 0; K + CellBytes <= Size; K += CellBytes) {
    int IsNew;
    uint32_t *At = indexAt(&R->LooseAt, (uintptr_t)P + (uintptr_t)K, &IsNew);
    if (!IsNew) {
      if (Shadow && !R->Looses[*At].Shadow)
        R->Looses[*At].Shadow = Shadow + K;
      continue;
    }
    if (R->LooseCount >= MostCells)
      leave(R, TooLarge);
    *At = (uint32_t)R->LooseCount;
    R->Looses = grown(R->Looses, R->LooseCount, &R->LooseRoom, sizeof *R->Looses);
    Loose New = {P + K, Shadow ? Shadow + K : NULL};
    R->Looses[R->LooseCount++] = New;
  }
}

/// Reading tells what bytes are that have been copied here, writing what they are now. Where
/// they are moved to, trackCopy or trackMove follows: the source may overlap.
static void trackAccess(Run *R, char *P, int64_t Size, int Kind) {
  int Base = Kind & ~KindWrite, Writes = Kind & KindWrite, IsOwn = isOwn(R, P);
  if (Writes && Base != KindMoved)
    forgetCells(R, P, Size);
  if (!isNumberKind(Base))
    return;
  int Step = sizeOfKind(Base);
  for (int64_t At = 0; At < Size; At += Step) {
    Cell *Here = cellAt(R, P + At), Known = {0, (uint8_t)Base};
    if (!Writes && Here && Here->Origin) {
      noteElement(R, (char *)Here->Origin, looseShadow(R, Here->Origin), Base);
      Here->Kind = (uint8_t)Base;
    } else if (IsOwn) {
      setCell(R, P + At, Known);
    }
  }
}

static Cell cellFrom(const Run *R, char *P) {
  Cell *Known = cellAt(R, P), New = {0, 0};
  if (Known && (Known->Origin || Known->Kind))
    return *Known;
  if (isOwn(R, P))
    return New;
  uint32_t *At = indexFind(&R->ElementAt, (uintptr_t)P);
  New.Origin = (uintptr_t)P;
  New.Kind = At ? R->Elements[*At].Kind : 0;
  return New;
}

static void arrive(Run *R, char *P, Cell New) {
  setCell(R, P, New);
  if (isOwn(R, P))
    return;
  if (New.Kind)
    noteElement(R, P, looseShadow(R, (uintptr_t)P), New.Kind);
  if (!New.Origin || New.Origin == (uintptr_t)P)
    return;
  R->Copies = grown(R->Copies, R->CopyCount, &R->CopyRoom, sizeof *R->Copies);
  Copied Pair = {New.Origin, P};
  R->Copies[R->CopyCount++] = Pair;
}

/// Both ends may overlap.
static void trackCopy(Run *R, char *To, char *From, int64_t Size) {
  int64_t Count = Size / CellBytes;
  int IsLost = Count > MostCells;
  R->Lost |= IsLost;
  if (Count <= 0 || IsLost || ((uintptr_t)To | (uintptr_t)From) % CellBytes) {
    forgetCells(R, To, Size);
    return;
  }
  Cell *All = malloc((size_t)Count * sizeof *All);
  if (!All)
    abort();
  for (int64_t K = 0; K < Count; ++K)
    All[K] = cellFrom(R, From + K * CellBytes);
  forgetCells(R, To, Size);
  for (int64_t K = 0; K < Count; ++K)
    arrive(R, To + K * CellBytes, All[K]);
  free(All);
}

/// What an integer that is loaded from \p P may be: an address, or a kind, or nothing.
static uintptr_t tokenOf(const Run *R, char *P) {
  Cell From = cellFrom(R, P);
  return (uintptr_t)P % CellBytes ? 0 : From.Origin ? From.Origin : From.Kind;
}

static void trackMove(Run *R, char *To, uintptr_t Token, int64_t Size) {
  enum { MostKinds = 16 };
  forgetCells(R, To, Size);
  if (!Token || (uintptr_t)To % CellBytes)
    return;
  int IsKind = Token < MostKinds, Step = IsKind ? sizeOfKind((int)Token) : CellBytes;
  for (int64_t K = 0; K + CellBytes <= Size; K += Step) {
    Cell New = {0, (uint8_t)Token};
    if (!IsKind)
      New = cellFrom(R, (char *)Token + K);
    arrive(R, To + K, New);
  }
}

/// All copies of a number are numbers.
static void settleCopies(Run *R) {
  for (int Changed = 1; Changed;) {
    Changed = 0;
    for (size_t I = 0; I < R->CopyCount; ++I) {
      const Copied *Pair = &R->Copies[I];
      uint32_t *From = indexFind(&R->ElementAt, Pair->From);
      if (!From || !R->Elements[*From].Kind || indexFind(&R->ElementAt, (uintptr_t)Pair->To))
        continue;
      noteElement(R, Pair->To, looseShadow(R, (uintptr_t)Pair->To), R->Elements[*From].Kind);
      Changed = 1;
    }
  }
}

static void releaseOrigins(Run *R) {
  free(R->CellAt.Keys);
  free(R->CellAt.At);
  free(R->Cells);
  free(R->Copies);
  memset(&R->CellAt, 0, sizeof R->CellAt);
  R->Cells = NULL;
  R->Copies = NULL;
  R->CellCount = R->CellRoom = R->CopyCount = R->CopyRoom = 0;
}

#endif
