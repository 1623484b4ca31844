//===- check.c - Is this derivative right? --------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checked call is   check = begin(site, frame); derivative(...); end(check, frame).
//
// Let memory with shadows, and active arguments and results, be one vector. The function
// maps it to another, with Jacobian J. A reverse derivative replaces the shadows w by
// J^T w, whatever is accumulated, overwritten or cleared on the way. So for any v
//
//   <after the call, v>  =  <before the call, J v>
//
// and J v is had by differences and by the forward derivative, both before the call. A
// forward call is compared with differences along its own tangents, and with the reverse
// derivative by the same identity.
//
//===----------------------------------------------------------------------===//
#include "verdict.h"
#include <sched.h>

static void prepareRoots(Check *C) {
  for (int P = 0; P < C->Site->Params; ++P) {
    const IsozymeParam *Param = &C->Site->Param[P];
    if (!Param->IsPointer)
      continue;
    char *At, *Shadow = NULL;
    memcpy(&At, C->Frame + Param->Value, sizeof At);
    if (Param->Shadow != Nowhere)
      memcpy(&Shadow, C->Frame + Param->Shadow + (int64_t)C->Lane * C->Site->ShadowStride,
             sizeof Shadow);
    noteRoot(&C->R, At, Shadow, NULL, NULL, P);
  }
}

static void listActive(Check *C) {
  int Shortest = 0;
  C->Active = calloc(C->R.ElementCount + 1, sizeof *C->Active);
  if (!C->Active)
    abort();
  for (size_t I = 0; I < C->R.ElementCount; ++I) {
    Element *E = &C->R.Elements[I];
    if (!E->Shadow || !E->Kind)
      continue;
    C->Active[C->ActiveCount++] = (uint32_t)I;
    Shortest |= E->Kind == KindFloat;
    for (int P = 0; P < C->Site->Params; ++P) {
      const IsozymeParam *Param = &C->Site->Param[P];
      char *At;
      memcpy(&At, C->Frame + Param->Value, sizeof At);
      E->Copied |= Param->Copied && E->P >= At && E->P < At + Param->Copied;
    }
  }
  for (int I = 0; I < C->Site->Inputs; ++I)
    Shortest |= C->Site->Input[I].Kind == KindFloat;
  for (int I = 0; I < C->Site->Outputs; ++I)
    Shortest |= C->Site->Output[I].Kind == KindFloat;
  C->Inputs = C->ActiveCount + (size_t)C->Site->Inputs;
  C->Outputs = C->ActiveCount + (size_t)C->Site->Outputs;
  Shortest |= C->Site->HasFloat;
  C->Epsilon = Shortest ? 1.2e-7 : 2.3e-16;
  C->FirstStep = Shortest ? 1.0 / 8 : 1.0 / 64;
  C->Steps = Shortest ? 4 : MostSteps;
  C->Base = zeros(C->Outputs);
}

static const char *whyEarly(const Run *R, int Why) {
  switch (Why) {
  case Refused:
    return R->Refusal;
  case FreesMemory:
    return "the function releases memory that it has not allocated";
  case TooLarge:
    return "the function uses too many numbers";
  case Crashes:
    return "the function, or its derivative, uses memory that it must not, or divides by zero";
  default:
    return "the function does not return normally";
  }
}

/// A number whose shadow has been looked for behind a null pointer has none. Pointers may
/// have been followed by the check only.
static void reportNullShadow(const Check *C) {
  int IsNumber = C->R.NullKind >= KindFloat && C->R.NullKind <= KindLongDouble;
  Element At = {C->R.NullAt, NULL, (uint8_t)(IsNumber ? C->R.NullKind : KindDouble), 0, 0, 0};
  char Why[300];
  const Root *From = rootOf(&C->R, At.P, NULL);
  if (From && From->Param >= 0)
    snprintf(Why, sizeof Why, "the shadow of %s is a null pointer",
             paramName(C->Site, From->Param).Text);
  else
    snprintf(Why, sizeof Why, "a pointer in a shadow is null, where that of %s should be",
             placeName(C, &At).Text);
  if (!IsNumber) {
    sayUnchecked(C->Site, Why);
    return;
  }
  ++TheState->Wrong;
  say(C->Site, "%s", Why);
}

/// One array under two names, differentiated by one of them: differences move both.
static int isMixed(const Check *C) {
  for (size_t I = 0; I < C->ActiveCount; ++I) {
    const Element *E = activeElement(C, I);
    for (int P = 0; P < C->Site->Params && E->Mixed; ++P) {
      const IsozymeParam *Param = &C->Site->Param[P];
      char *At;
      memcpy(&At, C->FrameWas + Param->Value, sizeof At);
      if (Param->IsPointer && Param->Activity == ArgConst && At <= E->P)
        return 1;
    }
  }
  return 0;
}

/// Inputs are moved, and seeds put into shadows, where the program itself may only read.
static int openMemory(Check *C) {
  char *Last = NULL, *LastShadow = NULL;
  int IsOpen = 1;
  for (size_t I = 0; I < C->ActiveCount && IsOpen; ++I) {
    const Element *E = activeElement(C, I);
    if (!E->WrittenFirst)
      IsOpen = makeWritable(&C->R, E->P, &Last);
    if (IsOpen && C->Site->Mode != ModeForward)
      IsOpen = makeWritable(&C->R, E->Shadow, &LastShadow);
  }
  return IsOpen;
}

/// After a run: does a pointer of the caller's lead to memory that the run has allocated?
/// Between two halves of a derivative its shadow may be given seeds.
static int leavesOwn(const Run *R) {
  for (size_t I = 0; I < R->WordCount; ++I) {
    const Word *W = &R->Words[I];
    uintptr_t To;
    if (W->Mask != 0xff || !(W->Role & OfOutput))
      continue;
    memcpy(&To, (char *)W->Address, sizeof To);
    uint32_t *Number = indexFind(&R->OwnAt, To / 16 + 1);
    if (Number && *Number == R->Number)
      return 1;
  }
  return 0;
}

/// Finds the elements, and the values of all outputs. Null, or why it cannot be checked.
static const char *prepare(Check *C) {
  C->FrameWas = malloc((size_t)C->Site->FrameSize);
  if (!C->FrameWas)
    abort();
  memcpy(C->FrameWas, C->Frame, (size_t)C->Site->FrameSize);
  prepareRoots(C);
  C->R.Learns = 1;
  int Why = runForward(C);
  C->R.Learns = 0;
  settleCopies(&C->R);
  releaseOrigins(&C->R);
  setInputs(C, NULL, 0);
  if (Why == Crashes && C->R.NullAt && !runPrimal(C)) {
    setInputs(C, NULL, 0);
    reportNullShadow(C);
    return "";
  }
  setInputs(C, NULL, 0);
  if (Why)
    return whyEarly(&C->R, Why);
  listActive(C);
  if (!C->Inputs || !C->Outputs)
    return "no number that it reads or writes has a shadow of its own";
  if (isMixed(C))
    return "memory of an enzyme_const argument is differentiated by way of another argument";
  if (!openMemory(C))
    return "its inputs are in memory that cannot be moved";
  Why = runAt(C, NULL, 0, C->Base);
  for (size_t I = 0; !Why && I < C->R.WordCount; ++I) {
    Word *W = &C->R.Words[I];
    for (int B = 0; B < 8; ++B)
      if ((W->Mask & (1 << B)) && ((unsigned char *)W->Address)[B] != W->Was[B])
        W->Role |= OfOutput;
  }
  int Leaves = !Why && C->Site->Mode == ModeAugment && leavesOwn(&C->R);
  setInputs(C, NULL, 0);
  rememberAccesses(&C->R);
  if (Leaves)
    return "its results are in memory that the function allocates";
  return Why ? whyEarly(&C->R, Why) : NULL;
}

static void releaseCheck(Check *C) {
  closePages(&C->R);
  releaseRun(&C->R);
  free(C->FrameWas);
  free(C->Active);
  free(C->Base);
}

/// The lanes of one call.
typedef struct Pending {
  const IsozymeSite *Site;
  Trial *Lanes;
  int Width, IsUsed;
  struct Pending *Next;
} Pending;

static void releasePending(Pending *P) {
  for (int L = 0; L < P->Width; ++L) {
    releaseTrial(&P->Lanes[L]);
    releaseCheck(&P->Lanes[L].C);
  }
  free(P->Lanes);
  free(P);
}

static void keepOpen(Pending *P) {
  enum { MostOpen = 64 };
  P->Next = TheState->Open;
  TheState->Open = P;
  int Count = 0;
  for (Pending **At = &TheState->Open; *At; At = &(*At)->Next)
    if (++Count > MostOpen) {
      releasePending(*At);
      *At = NULL;
      return;
    }
}

/// Do a second half and a first one have the same function, and the same shadows?
static int belongs(const Pending *First, const IsozymeSite *Site, const char *Frame) {
  const IsozymeSite *Of = First->Site;
  if (strcmp(Of->Function, Site->Function) || Of->Params != Site->Params ||
      Of->Width != Site->Width || Of->Inputs != Site->Inputs || Of->Outputs != Site->Outputs)
    return 0;
  for (int P = 0; P < Site->Params; ++P)
    for (int L = 0; Site->Param[P].Shadow != Nowhere && Site->Param[P].IsPointer && L < Site->Width;
         ++L)
      if (memcmp(First->Lanes[L].C.FrameWas + Of->Param[P].Shadow + (int64_t)L * Of->ShadowStride,
                 Frame + Site->Param[P].Shadow + (int64_t)L * Site->ShadowStride, sizeof(char *)))
        return 0;
  return 1;
}

static Pending *firstHalf(const IsozymeSite *Site, const char *Frame) {
  Pending *Unused = NULL, *Used = NULL;
  for (Pending *P = TheState->Open; P; P = P->Next) {
    if (!belongs(P, Site, Frame))
      continue;
    if (P->IsUsed) {
      Used = Used ? Used : P;
      continue;
    }
    if (Unused) {
      sayUnchecked(Site, "several first halves with the same arguments wait for their second");
      return NULL;
    }
    Unused = P;
  }
  if (!Unused && !Used)
    sayUnchecked(Site, "its first half has not been checked");
  return Unused ? Unused : Used;
}

static const char UnknownCopies[] = "the function copies bytes that may be numbers of any type";

static Pending *beginHalf(const IsozymeSite *Site, char *Frame) {
  Pending *P = firstHalf(Site, Frame);
  for (int L = 0; P && L < P->Width; ++L) {
    Trial *T = &P->Lanes[L];
    T->C.Site = Site;
    T->C.Frame = Frame;
    readWeights(T, Frame);
    if (hasHiddenWeights(&T->C)) {
      sayUnchecked(Site, UnknownCopies);
      return NULL;
    }
  }
  return P;
}

static Pending *beginWhole(const IsozymeSite *Site, char *Frame) {
  Pending *P = calloc(1, sizeof *P);
  if (!P || !(P->Lanes = calloc((size_t)Site->Width, sizeof *P->Lanes)))
    abort();
  P->Site = Site;
  for (int L = 0; L < Site->Width; ++L) {
    Trial *T = &P->Lanes[L];
    ++P->Width;
    T->C.Site = Site;
    T->C.Frame = Frame;
    T->C.R.Site = Site;
    T->C.Lane = L;
    const char *Why = prepare(&T->C);
    if (Why) {
      if (*Why)
        sayUnchecked(Site, Why);
      releasePending(P);
      return NULL;
    }
    T->IsWrong |= reportLayout(&T->C);
    readWeights(T, Frame);
    if (Site->Mode != ModeAugment && hasHiddenWeights(&T->C)) {
      sayUnchecked(Site, UnknownCopies);
      releasePending(P);
      return NULL;
    }
    T->IsWrong |= reportUncleared(T);
    if (Site->Mode == ModeForward) {
      tryOwnDirection(T);
      tryReverse(T);
    } else {
      tryDirections(T);
    }
    if (Site->Mode == ModeAugment)
      tryEach(T);
    if (TheState->AskConst)
      T->IsWrong |= reportConstants(T);
    closePages(&T->C.R);
  }
  return P;
}

static _Thread_local char OfThisThread;

/// Checks are made one at a time: the inputs of a call are moved while it is checked.
static int lock(void) {
  if (__atomic_load_n(&TheState->Owner, __ATOMIC_ACQUIRE) == &OfThisThread)
    return 0;
  while (__atomic_exchange_n(&TheState->Lock, 1, __ATOMIC_ACQUIRE))
    sched_yield();
  __atomic_store_n(&TheState->Owner, &OfThisThread, __ATOMIC_RELEASE);
  return 1;
}

static void unlock(void) {
  __atomic_store_n(&TheState->Owner, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&TheState->Lock, 0, __ATOMIC_RELEASE);
}

void *__isozyme_check_begin(const IsozymeSite *Site, char *Frame) {
  if (!lock())
    return NULL;
  readEnvironment();
  Pending *P = NULL;
  if (TheState->IsOff) {
    unlock();
    return NULL;
  }
  // The halves of one derivative are checked, or not, together.
  int64_t Number = Site->State->Calls++;
  if (Site->Why)
    sayUnchecked(Site, Site->Why);
  else if (Site->Mode != ModeFromTape && Number % TheState->Every)
    ++TheState->Skipped;
  else if (Site->Mode == ModeFromTape && TheState->Every > 1 && !TheState->Open)
    ++TheState->Skipped;
  else
    P = Site->Mode == ModeFromTape ? beginHalf(Site, Frame) : beginWhole(Site, Frame);
  if (!P)
    unlock();
  return P;
}

void __isozyme_check_end(void *Check, char *Frame) {
  Pending *P = Check;
  if (!P)
    return;
  int IsWrong = 0, IsUnclear = 0;
  int Mode = P->Lanes[0].C.Site->Mode;
  for (int L = 0; L < P->Width; ++L) {
    Trial *T = &P->Lanes[L];
    if (Mode != ModeFromTape)
      T->IsWrong |= reportChangedConstants(&T->C);
    if (Mode == ModeForward)
      judgeForward(T);
    else if (Mode != ModeAugment)
      judgeReverse(T);
    IsWrong |= T->IsWrong;
    IsUnclear |= T->IsUnclear;
    T->IsWrong = T->IsUnclear = 0;
  }
  if (IsWrong)
    ++TheState->Wrong;
  else if (IsUnclear)
    ++TheState->Unclear;
  if (Mode != ModeAugment)
    ++TheState->Checked;
  if (Mode == ModeAugment)
    keepOpen(P);
  else if (Mode == ModeFromTape)
    P->IsUsed = 1;
  else
    releasePending(P);
  unlock();
}

__attribute__((noinline)) void __isozyme_check_touch(char *P, int64_t Size, int32_t Kind) {
  if (TheState->Current)
    touchOnce(TheState->Current, P, Size, Kind);
}

__attribute__((noinline)) void __isozyme_check_touch_forward(char *P, char *Shadow, int64_t Size,
                                                             int32_t Kind) {
  if (TheState->Current)
    touch(TheState->Current, P, Shadow, Size, Kind);
}

void __isozyme_check_allocated(void *P, int64_t Size) {
  Run *R = TheState->Current;
  if (!R || !P)
    return;
  if (R->Learns)
    forgetCells(R, P, Size);
  for (uintptr_t At = (uintptr_t)P / 16; At <= ((uintptr_t)P + (uintptr_t)Size) / 16; ++At) {
    int IsNew;
    if ((At * 16 + 16) <= (uintptr_t)P || At * 16 >= (uintptr_t)P + (uintptr_t)Size)
      continue;
    *indexAt(&R->OwnAt, At + 1, &IsNew) = R->Number;
  }
}

void __isozyme_check_freed(void *P) {
  Run *R = TheState->Current;
  if (R && P && !isOwn(R, P))
    leave(R, FreesMemory);
}

void __isozyme_check_stop(int32_t Why) {
  if (TheState->Current)
    leave(TheState->Current, Why);
}

void __isozyme_check_refuse(const char *Why) {
  if (!TheState->Current)
    return;
  TheState->Current->Refusal = Why;
  leave(TheState->Current, Refused);
}

void __isozyme_check_copied(char *To, char *From, int64_t Size) {
  if (TheState->Current && TheState->Current->Learns)
    trackCopy(TheState->Current, To, From, Size);
}

int64_t __isozyme_check_origin(char *P) {
  Run *R = TheState->Current;
  return R && R->Learns ? (int64_t)tokenOf(R, P) : 0;
}

void __isozyme_check_moved(char *To, int64_t Token, int64_t Size) {
  if (TheState->Current && TheState->Current->Learns)
    trackMove(TheState->Current, To, (uintptr_t)Token, Size);
}

void __isozyme_check_forget(char *P, int64_t Size) {
  if (TheState->Current && TheState->Current->Learns)
    forgetCells(TheState->Current, P, Size);
}
