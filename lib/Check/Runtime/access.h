//===- access.h - One access of a watched function ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles one announcement of an access: it keeps the bytes, notes numbers as elements and
// pointers as roots, and follows bytes that are moved.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_ACCESS_H
#define ISOZYME_CHECK_ACCESS_H

#include "origins.h"

/// \p Shadow is \p P where there is none.
static void touch(Run *R, char *P, char *Shadow, int64_t Size, int Kind) {
  if (Size <= 0)
    return;
  int IsOwn = isOwn(R, P), Base = Kind & ~KindWrite;
  if (R->Learns && IsOwn && Kind != KindOverwritten)
    trackAccess(R, P, Size, Kind);
  if (IsOwn)
    return;
  if (Kind == KindOverwritten) {
    keep(R, P, Size, OfShadow, 0);
    return;
  }
  int HasShadow = hasShadow(R, P, Shadow, Base);
  keep(R, P, Size, OfPrimal, Kind & KindWrite);
  if (HasShadow)
    keep(R, Shadow, Size, OfShadow, 0);
  HasShadow = HasShadow && !isMadeByUs(R, Shadow);
  if (R->IsForward && Base == KindPointer && !(Kind & KindWrite)) {
    char *To, *ToShadow = NULL;
    memcpy(&To, P, sizeof To);
    if (HasShadow)
      memcpy(&ToShadow, Shadow, sizeof ToShadow);
    noteRoot(R, To, ToShadow, P, HasShadow ? Shadow : NULL, Nowhere);
  }
  if (Base == KindUnknown && HasShadow) {
    R->Untypeds = grown(R->Untypeds, R->UntypedCount, &R->UntypedRoom, sizeof *R->Untypeds);
    Untyped New = {P, Shadow, Size};
    R->Untypeds[R->UntypedCount++] = New;
  }
  if (R->Learns && Base == KindMoved)
    noteLoose(R, P, HasShadow ? Shadow : NULL, Size);
  if (R->Learns)
    trackAccess(R, P, Size, Kind);
  if (!isNumberKind(Base))
    return;
  int Step = sizeOfKind(Base), Needed = Base == KindLongDouble ? 10 : Step;
  for (int64_t At = 0; At + Needed <= Size; At += Step)
    noteElement(R, P + At, HasShadow ? Shadow + At : NULL, Base);
}

/// Most accesses of a run are those of the run before: a table as large as what has been
/// kept so far remembers them.
static void rememberAccesses(Run *R) {
  size_t Room = 64;
  while (Room < 4 * R->WordCount)
    Room *= 2;
  R->Known = calloc(Room, sizeof *R->Known);
  R->KnownMask = Room - 1;
}

/// An access that has no shadow.
static inline void touchOnce(Run *R, char *P, int64_t Size, int Kind) {
  enum { MostBytes = 64 };
  if (!R->Known || Size <= 0 || Size > MostBytes) {
    touch(R, P, P, Size, Kind);
    return;
  }
  uint64_t *At = &R->Known[((uintptr_t)P >> 2) & R->KnownMask];
  uint64_t Access = (uint64_t)(uintptr_t)P << 13 | (uint64_t)Size << 6 | (uint64_t)Kind;
  if (*At == Access)
    return;
  touch(R, P, P, Size, Kind);
  if (!isOwn(R, P))
    *At = Access;
}

#endif
