//===- memory.h - What memory a function uses, and putting it back --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A watched function says before each access which bytes it is about to use. The first
// time, their contents are kept, so that everything can be put back. Numbers among them
// are elements; a watched forward derivative also says where their shadows are. What a
// run allocates itself, and its stack, is not watched.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_MEMORY_H
#define ISOZYME_CHECK_MEMORY_H

#include "site.h"
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Eight bytes at an address that is a multiple of eight, as they were.
typedef struct {
  uintptr_t Address; ///< 0: free.
  unsigned char Was[8];
  unsigned char Mask;    ///< Which of the bytes were used.
  unsigned char Role;    ///< OfPrimal, OfShadow; OfOutput: the function changes it.
  unsigned char Written; ///< Which of the bytes were written before they were read.
} Word;

typedef struct {
  char *P, *Shadow; ///< Shadow is null where there is none.
  uint8_t Kind;
  uint8_t WrittenFirst; ///< What was there does not matter.
  uint8_t Copied;       ///< The function has a copy: nobody sees what it writes there.
  uint8_t Mixed;        ///< Used through pointers with and without a shadow.
} Element;

/// A pointer that leads to memory: an argument, or one found at From.
typedef struct {
  char *P, *Shadow, *From, *FromShadow;
  int Param;
} Root;

/// Bytes that are copied. No type says whether they hold numbers.
typedef struct {
  char *P, *Shadow;
  int64_t Size;
} Untyped;

/// Four bytes that are moved, in the caller's memory.
typedef struct {
  char *P, *Shadow;
} Loose;

/// What four bytes are: see origins.h.
typedef struct {
  uintptr_t Origin; ///< Where in the caller's memory they have been copied from, or 0.
  uint8_t Kind;     ///< Of the number that starts here, or 0.
} Cell;

typedef struct {
  uintptr_t From;
  char *To;
} Copied;

/// Made writable for as long as a check lasts.
typedef struct {
  char *At;
  int Rights;
} OpenPage;

/// A hash table of positions in an array, by address.
typedef struct {
  uintptr_t *Keys;
  uint32_t *At;
  size_t Room, Used;
} Index;

typedef struct Run {
  Word *Words;
  size_t WordCount, WordRoom;
  Index WordAt;
  Element *Elements;
  size_t ElementCount, ElementRoom;
  Index ElementAt;
  Root *Roots;
  size_t RootCount, RootRoom;
  Untyped *Untypeds;
  size_t UntypedCount, UntypedRoom;
  Loose *Looses;
  size_t LooseCount, LooseRoom;
  Index LooseAt;
  int Learns; ///< The run that finds out what moved bytes are.
  int Lost;   ///< There were too many of them.
  Cell *Cells;
  size_t CellCount, CellRoom;
  Index CellAt;
  Copied *Copies;
  size_t CopyCount, CopyRoom;
  /// Granules of sixteen bytes that this run has allocated; the value is the run's number.
  Index OwnAt;
  uint32_t Number;
  char *StackEnd; ///< Stack below it is the run's.
  int IsForward;  ///< A run of the forward derivative, which knows of shadows.
  jmp_buf Out;
  const char *Refusal; ///< Why the run has been left, where the code says it.
  const IsozymeSite *Site;
  int Conflict; ///< One number with two shadows, or two with one.
  char *ConflictAt;
  char *NullAt; ///< The first memory whose shadow is behind a null pointer, and what is there.
  int NullKind;
  OpenPage *Pages;
  size_t PageCount, PageRoom;
  uint64_t *Known; ///< Accesses that need no second look, by address; null: not yet.
  size_t KnownMask;
} Run;

enum { OfPrimal = 1, OfShadow = 2, OfOutput = 4 };
enum { MostElements = 1 << 22, MostRoots = 1 << 16 };

static size_t indexSlot(const Index *I, uintptr_t Key) {
  size_t At = (Key * 0x9E3779B97F4A7C15u) >> 7;
  for (At &= I->Room - 1; I->Keys[At] && I->Keys[At] != Key; At = (At + 1) & (I->Room - 1))
    ;
  return At;
}

static void indexGrow(Index *I) {
  Index Old = *I;
  I->Room = Old.Room ? Old.Room * 2 : 256;
  I->Keys = calloc(I->Room, sizeof *I->Keys);
  I->At = calloc(I->Room, sizeof *I->At);
  if (!I->Keys || !I->At)
    abort();
  for (size_t K = 0; K < Old.Room; ++K)
    if (Old.Keys[K]) {
      size_t Slot = indexSlot(I, Old.Keys[K]);
      I->Keys[Slot] = Old.Keys[K];
      I->At[Slot] = Old.At[K];
    }
  free(Old.Keys);
  free(Old.At);
}

/// The place of \p Key's value; \p IsNew tells whether it has just been made.
static uint32_t *indexAt(Index *I, uintptr_t Key, int *IsNew) {
  if (I->Used * 2 >= I->Room)
    indexGrow(I);
  size_t Slot = indexSlot(I, Key);
  *IsNew = !I->Keys[Slot];
  if (*IsNew) {
    I->Keys[Slot] = Key;
    ++I->Used;
  }
  return &I->At[Slot];
}

static uint32_t *indexFind(const Index *I, uintptr_t Key) {
  if (!I->Room)
    return NULL;
  size_t Slot = indexSlot(I, Key);
  return I->Keys[Slot] ? &I->At[Slot] : NULL;
}

static void *grown(void *Array, size_t Count, size_t *Room, size_t Size) {
  if (Count < *Room)
    return Array;
  *Room = *Room ? *Room * 2 : 64;
  Array = realloc(Array, *Room * Size);
  if (!Array)
    abort();
  return Array;
}

static int sizeOfKind(int Kind) {
  return Kind == KindFloat    ? sizeof(float)
         : Kind == KindDouble ? sizeof(double)
                              : sizeof(long double);
}

static double get(const char *P, int Kind) {
  float F;
  double D;
  long double L;
  switch (Kind) {
  case KindFloat:
    memcpy(&F, P, sizeof F);
    return F;
  case KindDouble:
    memcpy(&D, P, sizeof D);
    return D;
  default:
    memcpy(&L, P, sizeof L);
    return (double)L;
  }
}

static void put(char *P, int Kind, double V) {
  float F = (float)V;
  long double L = V;
  if (Kind == KindFloat)
    memcpy(P, &F, sizeof F);
  else if (Kind == KindDouble)
    memcpy(P, &V, sizeof V);
  else
    memcpy(P, &L, 10); // The rest is padding.
}

/// Adds without losing digits of what is there.
static void add(char *P, int Kind, double V) {
  long double L;
  if (Kind != KindLongDouble) {
    put(P, Kind, get(P, Kind) + V);
    return;
  }
  memcpy(&L, P, sizeof L);
  L += V;
  memcpy(P, &L, 10);
}

static void leave(Run *R, int Why) { longjmp(R->Out, Why); }

/// The run's own stack, and what it has allocated.
static int isOwn(const Run *R, const char *P) {
  char *Here = __builtin_frame_address(0);
  if (P >= Here && P < R->StackEnd)
    return 1;
  uint32_t *Number = indexFind(&R->OwnAt, (uintptr_t)P / 16 + 1);
  return Number && *Number == R->Number;
}

/// The contents of these bytes are kept.
static void keep(Run *R, char *P, int64_t Size, int Role, int Writes) {
  for (char *End = P + Size; P < End;) {
    char *Start = (char *)((uintptr_t)P & ~(uintptr_t)7);
    int From = (int)(P - Start), To = End - Start < 8 ? (int)(End - Start) : 8;
    int IsNew;
    uint32_t *At = indexAt(&R->WordAt, (uintptr_t)Start, &IsNew);
    if (IsNew) {
      if (R->WordCount >= 4u * MostElements)
        leave(R, TooLarge);
      *At = (uint32_t)R->WordCount;
      R->Words = grown(R->Words, R->WordCount, &R->WordRoom, sizeof *R->Words);
      Word *New = &R->Words[R->WordCount++];
      memset(New, 0, sizeof *New);
      New->Address = (uintptr_t)Start;
    }
    Word *W = &R->Words[*At];
    for (int B = From; B < To; ++B)
      if (!(W->Mask & (1 << B))) {
        W->Was[B] = (unsigned char)Start[B];
        W->Mask |= (unsigned char)(1 << B);
        W->Written |= (unsigned char)(Writes ? 1 << B : 0);
      }
    W->Role |= (unsigned char)Role;
    P = Start + To;
  }
}

/// Whatever the bytes were written as.
static int isWrittenFirst(const Run *R, const char *P) {
  uint32_t *At = indexFind(&R->WordAt, (uintptr_t)P & ~(uintptr_t)7);
  return At && (R->Words[*At].Written & (1 << ((uintptr_t)P & 7)));
}

/// A null shadow means that there is none. In a run of the primal it says nothing.
static void noteElement(Run *R, char *P, char *Shadow, int Kind) {
  int IsNew;
  uint32_t *At = indexAt(&R->ElementAt, (uintptr_t)P, &IsNew);
  if (IsNew) {
    if (R->ElementCount >= MostElements)
      leave(R, TooLarge);
    *At = (uint32_t)R->ElementCount;
    R->Elements = grown(R->Elements, R->ElementCount, &R->ElementRoom, sizeof *R->Elements);
    Element New = {P, Shadow, (uint8_t)Kind, (uint8_t)isWrittenFirst(R, P), 0, 0};
    R->Elements[R->ElementCount++] = New;
    return;
  }
  Element *E = &R->Elements[*At];
  E->Mixed |= R->IsForward && !E->Shadow != !Shadow;
  if (E->Kind != Kind) { // A union: neither is perturbed.
    E->Kind = KindBytes;
    E->Shadow = NULL;
  } else if (!E->Shadow)
    E->Shadow = Shadow;
  else if (Shadow && E->Shadow != Shadow && !R->Conflict) {
    R->Conflict = 1;
    R->ConflictAt = P;
  }
}

static void noteRoot(Run *R, char *P, char *Shadow, char *From, char *FromShadow, int Param) {
  if (R->RootCount >= MostRoots || !P)
    return;
  R->Roots = grown(R->Roots, R->RootCount, &R->RootRoom, sizeof *R->Roots);
  Root New = {P, Shadow, From, FromShadow, Param};
  R->Roots[R->RootCount++] = New;
}

/// A null pointer, or an element not far behind one: no memory is given out there.
static int isNullShadow(const char *Shadow) {
  enum { LowestAddress = 1 << 22 };
  return (uintptr_t)Shadow < LowestAddress;
}

/// Of numbers that have a derivative; shadows that Isozyme has made are of no interest.
static int hasShadow(Run *R, char *P, char *Shadow, int Kind) {
  if (Shadow == P || isOwn(R, Shadow))
    return 0;
  if (isNullShadow(Shadow)) {
    // Nobody needs the shadow of what carries no derivative. Who does will follow it.
    if (Kind != KindBytes && !R->NullAt) {
      R->NullAt = P;
      R->NullKind = Kind;
    }
    return 0;
  }
  return 1;
}

static int isMadeByUs(const Run *R, const char *Shadow) {
  for (int64_t I = 0; I < R->Site->Owns; ++I) {
    const IsozymeRange *Own = &R->Site->Own[I];
    if (Shadow >= Own->Start && Shadow < Own->Start + Own->Size)
      return 1;
  }
  return 0;
}

/// Memory that cannot be written to has not changed.
static void putByte(const Word *W, int B, unsigned char Value) {
  unsigned char *At = (unsigned char *)W->Address + B;
  if ((W->Mask & (1 << B)) && *At != Value)
    *At = Value;
}

/// All memory as it was before the first run.
static void restore(const Run *R) {
  for (size_t I = 0; I < R->WordCount; ++I) {
    const Word *W = &R->Words[I];
    for (int B = 0; B < 8; ++B)
      putByte(W, B, W->Was[B]);
  }
}

/// What is there now, to be put back by putBack.
static unsigned char *contents(const Run *R) {
  unsigned char *All = malloc(R->WordCount * 8 + 1);
  if (!All)
    abort();
  for (size_t I = 0; I < R->WordCount; ++I)
    for (int B = 0; B < 8; ++B)
      if (R->Words[I].Mask & (1 << B))
        All[I * 8 + B] = ((unsigned char *)R->Words[I].Address)[B];
  return All;
}

static void putBack(const Run *R, const unsigned char *All) {
  for (size_t I = 0; I < R->WordCount; ++I)
    for (int B = 0; B < 8; ++B)
      putByte(&R->Words[I], B, All[I * 8 + B]);
}

static void releaseRun(Run *R) {
  free(R->Words);
  free(R->WordAt.Keys);
  free(R->WordAt.At);
  free(R->Elements);
  free(R->ElementAt.Keys);
  free(R->ElementAt.At);
  free(R->Roots);
  free(R->Untypeds);
  free(R->Looses);
  free(R->LooseAt.Keys);
  free(R->LooseAt.At);
  free(R->OwnAt.Keys);
  free(R->OwnAt.At);
  free(R->Pages);
  free(R->Known);
}

#endif
