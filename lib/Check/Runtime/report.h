//===- report.h - What a check says, and to whom --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for places in memory ("argument 2 (x), element [17]"), what the environment asks for,
// the counts of the whole program, and the line at its end.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_REPORT_H
#define ISOZYME_CHECK_REPORT_H

#include "differences.h"
#include <stdarg.h>
#include <unistd.h>

struct Pending;

/// Shared by all modules of a program.
typedef struct {
  int64_t Checked, Wrong, Unclear, Unchecked, Skipped;
  int IsRead, IsOff, AskConst, AskZero, IsDone;
  int64_t Every, Directions;
  double Tolerance;
  Run *Current;
  int Lock;
  char *Owner; ///< Thread that holds the lock: the address of a variable of its own.
  struct Pending *Open;
} State;

State __isozyme_check_state;
static State *const TheState = &__isozyme_check_state;
enum { MostReports = 5 };
/// What a program returns.
enum { SomeWrong = 1, NothingChecked = 2 };

static Run *TheRun(Run *New, int Set) {
  if (Set)
    TheState->Current = New;
  return TheState->Current;
}

static int hasWord(const char *Text, const char *Word) {
  size_t Length = strlen(Word);
  for (const char *At = Text; (At = strstr(At, Word)); At += Length)
    if ((At == Text || At[-1] == ',') && (!At[Length] || At[Length] == ','))
      return 1;
  return 0;
}

/// A setting from the environment, from \p Least to \p Most; \p Usual if it is none.
static double numberFrom(const char *Name, double Least, double Most, double Usual) {
  const char *Text = getenv(Name);
  char *End = NULL;
  double Value = Text && *Text ? strtod(Text, &End) : Usual;
  if (!End || (End != Text && !*End && Value >= Least && Value <= Most))
    return Value;
  fprintf(stderr, "isozyme check: %s=%s is not understood: it is a number from %g to %g\n", Name,
          Text, Least, Most);
  return Usual;
}

static void checkWords(const char *Text) {
  static const char *const Known[] = {"0", "off", "1", "on", "const", "zero"};
  for (const char *At = Text; *At;) {
    size_t Length = strcspn(At, ","), K = 0;
    while (K < 6 && (strlen(Known[K]) != Length || strncmp(At, Known[K], Length)))
      ++K;
    if (Length && K == 6)
      fprintf(stderr,
              "isozyme check: ISOZYME_CHECK=%s is not understood: 0, 1, const and zero are\n",
              Text);
    At += Length + (At[Length] == ',');
  }
}

static void readEnvironment(void) {
  State *S = TheState;
  if (S->IsRead)
    return;
  S->IsRead = 1;
  const char *Text = getenv("ISOZYME_CHECK");
  if (Text) {
    checkWords(Text);
    S->IsOff = !strcmp(Text, "0") || !strcmp(Text, "off");
    S->AskConst = hasWord(Text, "const");
    S->AskZero = hasWord(Text, "zero");
  }
  S->Every = (int64_t)numberFrom("ISOZYME_CHECK_EVERY", 1, 1e15, 1);
  S->Directions = (int64_t)numberFrom("ISOZYME_CHECK_DIRECTIONS", 1, 8, 2);
  S->Tolerance = numberFrom("ISOZYME_CHECK_TOLERANCE", 0, 1, 0);
}

/// One line, with the place of the call in front.
static __attribute__((format(printf, 2, 3))) void say(const IsozymeSite *Site, const char *Format,
                                                      ...) {
  va_list Arguments;
  va_start(Arguments, Format);
  fflush(stdout);
  fprintf(stderr, "%s: isozyme check: ", Site->Where);
  vfprintf(stderr, Format, Arguments);
  fputc('\n', stderr);
  va_end(Arguments);
}

static void sayUnchecked(const IsozymeSite *Site, const char *Why) {
  ++TheState->Unchecked;
  if (!Site->State->Told)
    say(Site, "not checked: %s", Why);
  Site->State->Told = 1;
}

/// May one more line be printed about this call?
static int mayReport(const IsozymeSite *Site) {
  if (Site->State->Reports == MostReports)
    say(Site, "more of this kind is not shown");
  return Site->State->Reports++ < MostReports;
}

/// The pointer that leads to \p P (whose shadow is at \p Shadow, if it has one): the last
/// one before it with the same distance to its own shadow.
static const Root *rootOf(const Run *R, const char *P, const char *Shadow) {
  const Root *Found = NULL;
  for (size_t I = 0; I < R->RootCount; ++I) {
    const Root *Next = &R->Roots[I];
    int HasShadow = Next->Shadow && Next->Shadow != Next->P;
    if (Next->P > P || (Shadow && (!HasShadow || Shadow - Next->Shadow != P - Next->P)))
      continue;
    if (!Found || Next->P > Found->P)
      Found = Next;
  }
  return Found;
}

static int paramOf(const Run *R, const char *P, const char *Shadow, int Depth) {
  const Root *From = rootOf(R, P, Shadow);
  if (!From || Depth > 64)
    return Nowhere;
  return From->Param >= 0 ? From->Param : paramOf(R, From->From, From->FromShadow, Depth + 1);
}

typedef struct {
  char Text[200];
} Name;

static Name paramName(const IsozymeSite *Site, int Param) {
  const char *Given = Site->Param[Param].Name;
  int Number = Param + 1 - Site->Hidden;
  Name N;
  if (Number <= 0)
    snprintf(N.Text, sizeof N.Text, "the %s", Given);
  else if (Given[0])
    snprintf(N.Text, sizeof N.Text, "argument %d (%s)", Number, Given);
  else
    snprintf(N.Text, sizeof N.Text, "argument %d", Number);
  return N;
}

/// "[1][2]": what pointers are followed from a parameter to \p P, counted in eight bytes
/// each, and the number there. Where there are many, how many.
static Name pathName(const Run *R, const char *P, const char *Shadow, long Size) {
  enum { MostLevels = 3 };
  char Levels[MostLevels + 1][32];
  Name N;
  int Depth = 0;
  for (;; ++Depth) {
    const Root *From = rootOf(R, P, Shadow);
    long Distance = From ? P - From->P : 0, Unit = Depth ? (long)sizeof(char *) : Size;
    if (Depth <= MostLevels)
      snprintf(Levels[Depth], sizeof Levels[0], Distance % Unit ? "[byte %ld]" : "[%ld]",
               Distance % Unit ? Distance : Distance / Unit);
    if (!From || From->Param >= 0 || Depth > 64)
      break;
    P = From->From;
    Shadow = From->FromShadow;
  }
  if (Depth > MostLevels) {
    snprintf(N.Text, sizeof N.Text, "%s behind %d pointers", Levels[0], Depth);
    return N;
  }
  size_t Used = 0;
  for (; Depth >= 0; --Depth)
    Used += (size_t)snprintf(N.Text + Used, sizeof N.Text - Used, "%s", Levels[Depth]);
  return N;
}

static Name placeName(const Check *C, const Element *E) {
  const Run *R = &C->R;
  int Param = paramOf(R, E->P, E->Shadow, 0);
  Name N;
  if (Param < 0)
    snprintf(N.Text, sizeof N.Text, "the number at %p", (void *)E->P);
  else
    snprintf(N.Text, sizeof N.Text, "%.100s, element %.90s", paramName(C->Site, Param).Text,
             pathName(R, E->P, E->Shadow, sizeOfKind(E->Kind)).Text);
  return N;
}

static Name inputName(const Check *C, size_t I) {
  if (I < C->ActiveCount)
    return placeName(C, activeElement(C, I));
  return paramName(C->Site, C->Site->Input[I - C->ActiveCount].Param);
}

static Name outputName(const Check *C, size_t J) {
  if (J < C->ActiveCount)
    return placeName(C, activeElement(C, J));
  Name N;
  if (C->Site->Outputs == 1)
    snprintf(N.Text, sizeof N.Text, "the result");
  else
    snprintf(N.Text, sizeof N.Text, "the result, number %d", (int)(J - C->ActiveCount) + 1);
  return N;
}

static const char *callsOf(int64_t Count) { return Count == 1 ? "call" : "calls"; }

/// Status of a program whose derivatives are wrong, or were not looked at; 0: its own.
static int sayCounts(const State *S) {
  long long Checked = S->Checked, Unchecked = S->Unchecked;
  if (!Checked && Unchecked)
    fprintf(stderr, "isozyme check: nothing was checked: %lld %s could not be, as said above\n",
            Unchecked, Unchecked == 1 ? "call of a derivative" : "calls of derivatives");
  else if (!Checked)
    fprintf(stderr, "isozyme check: nothing was checked: the program came to no call of a "
                    "derivative\n");
  if (!Checked)
    return NothingChecked;
  fprintf(stderr, "isozyme check: %lld %s checked, %lld wrong", Checked, callsOf(Checked),
          (long long)S->Wrong);
  if (S->Unclear)
    fprintf(stderr, ", %lld undecided", (long long)S->Unclear);
  if (Unchecked)
    fprintf(stderr, ", %lld not checked", Unchecked);
  if (S->Skipped)
    fprintf(stderr, ", %lld left out by ISOZYME_CHECK_EVERY", (long long)S->Skipped);
  fputc('\n', stderr);
  return S->Wrong ? SomeWrong : 0;
}

/// Runs once, however many modules have it.
__attribute__((destructor)) void __isozyme_check_finish(void) {
  State *S = TheState;
  readEnvironment();
  if (S->IsDone || S->IsOff)
    return;
  S->IsDone = 1;
  fflush(stdout);
  int Status = sayCounts(S);
  fflush(NULL);
  if (Status)
    _exit(Status);
}

#endif
