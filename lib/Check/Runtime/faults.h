//===- faults.h - Memory that cannot be used ------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function whose inputs are moved may leave its arrays, divide integers by zero, or
// follow null shadows: such a run ends early, and the program goes on. Inputs among
// constants are made writable while they are moved.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CHECK_FAULTS_H
#define ISOZYME_CHECK_FAULTS_H

#include "access.h"
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { Signals = 3 };

/// What the run time of C++ knows of the thread: what is being handled, and what is on its way.
/// There is none in a program of C.
typedef struct {
  void *Handled;
  unsigned OnTheirWay;
} Exceptions;
Exceptions *__cxa_get_globals(void) __attribute__((weak));

typedef struct {
  struct sigaction Was[Signals];
  Run *Outer;
} Handlers;

/// The run of this thread that signals are to end.
static _Thread_local Run *Guarded;

static int signalNumber(int I) { return I == 0 ? SIGSEGV : I == 1 ? SIGBUS : SIGFPE; }

static void onFault(int Number) {
  if (Guarded)
    leave(Guarded, Crashes);
  // Another thread's own: it happens again, and is what it would have been.
  signal(Number, SIG_DFL);
}

static void catchFaults(Handlers *H, Run *R) {
  struct sigaction New;
  memset(&New, 0, sizeof New);
  New.sa_handler = onFault;
  New.sa_flags = SA_NODEFER;
  for (int I = 0; I < Signals; ++I)
    sigaction(signalNumber(I), &New, &H->Was[I]);
  H->Outer = Guarded;
  Guarded = R;
}

static void releaseFaults(const Handlers *H) {
  Guarded = H->Outer;
  for (int I = 0; I < Signals; ++I)
    sigaction(signalNumber(I), &H->Was[I], NULL);
}

static __attribute__((noinline)) int canWrite(Run *R, char *P) {
  Handlers H;
  catchFaults(&H, R);
  int Why = setjmp(R->Out);
  if (!Why) {
    volatile char *At = P;
    *At = *At;
  }
  releaseFaults(&H);
  return !Why;
}

/// PROT_... of the page at \p P, or -1.
static int protectionOf(const char *P) {
  char Line[512], Rights[5];
  unsigned long From, To;
  int Found = -1;
  FILE *Maps = fopen("/proc/self/maps", "r");
  while (Maps && Found < 0 && fgets(Line, sizeof Line, Maps))
    if (sscanf(Line, "%lx-%lx %4s", &From, &To, Rights) == 3 && (uintptr_t)P >= From &&
        (uintptr_t)P < To)
      Found = (Rights[0] == 'r' ? PROT_READ : 0) | (Rights[1] == 'w' ? PROT_WRITE : 0) |
              (Rights[2] == 'x' ? PROT_EXEC : 0);
  if (Maps)
    fclose(Maps);
  return Found;
}

static char *pageOf(const char *P) {
  return (char *)((uintptr_t)P & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
}

/// Can numbers at \p P be moved? What is made writable for that is noted in \p R. \p Last is
/// the page that was asked for before.
static int makeWritable(Run *R, char *P, char **Last) {
  char *Page = pageOf(P);
  if (Page == *Last || canWrite(R, P)) {
    *Last = Page;
    return 1;
  }
  int Rights = protectionOf(P);
  if (Rights < 0 || mprotect(Page, (size_t)sysconf(_SC_PAGESIZE), Rights | PROT_WRITE))
    return 0;
  R->Pages = grown(R->Pages, R->PageCount, &R->PageRoom, sizeof *R->Pages);
  OpenPage New = {Page, Rights};
  R->Pages[R->PageCount++] = New;
  *Last = Page;
  return 1;
}

/// The caller's own code finds constants as they were.
static void setPages(const Run *R, int Right) {
  for (size_t I = 0; I < R->PageCount; ++I)
    mprotect(R->Pages[I].At, (size_t)sysconf(_SC_PAGESIZE), R->Pages[I].Rights | Right);
}

static void openPages(const Run *R) { setPages(R, PROT_WRITE); }
static void closePages(const Run *R) { setPages(R, 0); }

#endif
