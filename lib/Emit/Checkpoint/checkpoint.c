//===- checkpoint.c - Running a loop in parts, there and back --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the two halves of a loop with checkpoints call (Plan/Checkpoint/CheckpointSchedule.h says how the
// loop is cut). Iterations are counted from the first one that the halves were asked for.
//
//===----------------------------------------------------------------------===//
#include "../../../include/isozyme/Plan/Checkpoint/CheckpointSchedule.h"

typedef unsigned long Word;

void *malloc(Word);
void free(void *);
char *getenv(const char *);
int dprintf(int, const char *, ...);
void abort(void) __attribute__((noreturn));

enum What { Measure, Save, Restore };

/// What the plugin makes for each loop. Iterations from First to Last.
typedef struct Loop {
  void (*Run)(void *Args, Word First, Word Last);
  void (*Reverse)(void *Args, Word First, Word Last);
  /// Bytes of the memory that these overwrite. Saves it to Buffer, or puts it back.
  Word (*Move)(void *Args, Word First, Word Last, char *Buffer, enum What What);
  Word Moves; ///< What these overwrite depends on which they are.
} Loop;

/// The memory that the iterations overwrite, as it was before them.
typedef struct Snapshot {
  char *Bytes;
  Word First, Last;
} Snapshot;

typedef struct Parts {
  Word First, Last;
  IsozymeSchedule How;
  Word Count;
  Snapshot Of[];
} Parts;

static void *allocate(Word Bytes) {
  void *Memory = malloc(Bytes ? Bytes : 1);
  if (!Memory) {
    dprintf(2, "isozyme: out of memory: a snapshot needs %lu more bytes\n", Bytes);
    abort();
  }
  return Memory;
}

static Snapshot save(const Loop *L, void *Args, Word First, Word Last) {
  Snapshot S = {allocate(L->Move(Args, First, Last, 0, Measure)), First, Last};
  L->Move(Args, First, Last, S.Bytes, Save);
  return S;
}

static void restore(const Loop *L, void *Args, const Snapshot *S) {
  L->Move(Args, S->First, S->Last, S->Bytes, Restore);
}

static Word endOf(Word First, Word Length, Word Last) {
  return Last - First < Length ? Last : First + Length - 1;
}

static void tell(const Parts *P, Word Snapshot, Word Tape) {
  const char *Asked = getenv("ISOZYME_CHECKPOINTS");
  if (Asked && *Asked == 'p')
    dprintf(2,
            "isozyme: %lu iterations, parts of %lu, cut %lu times into at most %lu; a snapshot of "
            "%lu bytes, tape of %lu bytes an iteration; %lu bytes at once, %lu iterations more\n",
            P->Last - P->First + 1, P->How.Length, P->How.Levels, P->How.Parts, Snapshot, Tape,
            P->How.Peak, P->How.Extra);
}

/// How long the parts are whose snapshots lie on level Level; on the last one they have a tape.
static Word lengthAt(const IsozymeSchedule *How, Word Level) {
  Word Length = How->Length;
  for (; Level < How->Levels; ++Level)
    Length *= How->Parts;
  return Length;
}

Parts *isozymeCheckpointForward(const Loop *L, void *Args, Word First, Word Last, Word Tape,
                                Word Limit) __asm__("isozyme.checkpoint.forward");
Parts *isozymeCheckpointForward(const Loop *L, void *Args, Word First, Word Last, Word Tape,
                                Word Limit) {
  Word N = Last - First + 1, Size = L->Move(Args, First, First, 0, Measure), Length, I, From;
  IsozymeSchedule How = isozymeSchedule(N, Size, Tape ? Tape : Size, Limit);
  Parts *P;
  Length = lengthAt(&How, 1);
  P = allocate(sizeof(Parts) + (N / Length + 1) * sizeof(Snapshot));
  P->First = First;
  P->Last = Last;
  P->How = How;
  P->Count = (N + Length - 1) / Length;
  tell(P, Size, Tape);
  for (I = 0, From = First; I < P->Count; ++I, From += Length) {
    P->Of[I] = save(L, Args, From, endOf(From, Length, Last));
    L->Run(Args, From, endOf(From, Length, Last));
  }
  return P;
}

/// The adjoint of the iterations from that of \p S to Last. Memory is as it was before them.
/// Where it matters, it is so again afterwards.
static void reverse(const Loop *L, void *Args, const IsozymeSchedule *How, const Snapshot *S,
                    Word Last, Word Level) {
  Word First = S->First, Length, Count, I, From;
  Snapshot *Inner;
  if (Level >= How->Levels || Last - First < How->Length) {
    L->Reverse(Args, First, Last);
    if (L->Moves)
      restore(L, Args, S);
    return;
  }
  Length = lengthAt(How, Level + 1);
  Count = (Last - First + Length) / Length;
  Inner = allocate(Count * sizeof(Snapshot));
  Inner[0] = *S;
  for (I = 0, From = First; I < Count; ++I, From += Length) {
    if (I)
      Inner[I] = save(L, Args, From, endOf(From, Length, Last));
    if (I + 1 < Count)
      L->Run(Args, From, endOf(From, Length, Last));
  }
  for (I = Count; I-- > 0;) {
    if (I + 1 < Count)
      restore(L, Args, &Inner[I]);
    reverse(L, Args, How, &Inner[I], endOf(First + I * Length, Length, Last), Level + 1);
    if (I)
      free(Inner[I].Bytes);
  }
  free(Inner);
}

void isozymeCheckpointReverse(const Loop *L, void *Args, Parts *P, Word Keep) __asm__(
    "isozyme.checkpoint.reverse");
void isozymeCheckpointReverse(const Loop *L, void *Args, Parts *P, Word Keep) {
  Snapshot End = save(L, Args, P->First, P->Last);
  Word I;
  for (I = P->Count; I-- > 0;) {
    restore(L, Args, &P->Of[I]);
    reverse(L, Args, &P->How, &P->Of[I], P->Of[I].Last, 1);
    if (!Keep)
      free(P->Of[I].Bytes);
  }
  restore(L, Args, &End);
  free(End.Bytes);
  if (!Keep)
    free(P);
}
