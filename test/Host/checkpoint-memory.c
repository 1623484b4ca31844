// What a gradient of a long loop takes in memory: with isozyme_checkpoint the forecast, without it
// the tape of all steps.
// UNSUPPORTED: sanitizers
// RUN: %clang -O2 -I%source/include %s -o %t -lm
// RUN: %t parts && not %t whole
// RUN: %clang -O2 -I%source/include -mllvm -isozyme-tape-limit=8M -DLIMIT=8388608 %s -o %t -lm
// RUN: %t parts
// RUN: %clang -O2 -Rpass=isozyme -I%source/include %s -c -o %t.o 2>&1 | FileCheck %s
// CHECK: remark: this loop is run in parts, and once more in the reverse sweep, in place of a tape of 16 bytes
#include <isozyme/Plan/Checkpoint/CheckpointSchedule.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void isozyme_checkpoint(void);
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
#ifndef LIMIT
#define LIMIT 0
#endif

#define STEP                                                                                       \
  for (int i = 1; i < n - 1; i++)                                                                  \
    next[i] = u[i] + 0.1 * u[i] * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);                         \
  for (int i = 1; i < n - 1; i++)                                                                  \
    u[i] = next[i];
static void parts(double *u, double *next, int n, int steps) {
  for (int s = 0; s < steps; s++) {
    isozyme_checkpoint();
    STEP
  }
}
static void whole(double *u, double *next, int n, int steps) {
  for (int s = 0; s < steps; s++) {
    STEP
  }
}

static double bytes(void) {
  char line[256];
  double kilobytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
      break;
  return kilobytes * 1024;
}

int main(int count, char **words) {
  int n = 20002, steps = 600;
  double *u = malloc(n * sizeof *u), *next = malloc(n * sizeof *u), *du = malloc(n * sizeof *u),
         *dnext = malloc(n * sizeof *u);
  for (int i = 0; i < n; i++)
    u[i] = next[i] = 0.5, du[i] = 1, dnext[i] = 0;
  double before = bytes();
  if (count > 1 && !strcmp(words[1], "parts"))
    __enzyme_autodiff((void *)parts, enzyme_dup, u, du, enzyme_dup, next, dnext, enzyme_const, n,
                      enzyme_const, steps);
  else
    __enzyme_autodiff((void *)whole, enzyme_dup, u, du, enzyme_dup, next, dnext, enzyme_const, n,
                      enzyme_const, steps);
  double taken = bytes() - before;
  // Both buffers are saved; two numbers of each point are kept.
  IsozymeSchedule forecast = isozymeSchedule(steps, 320000, 320000, LIMIT);
  printf("%.3g MB taken, %.3g MB in the forecast\n", taken / 1e6, forecast.Peak / 1e6);
  return fabs(taken - forecast.Peak) > 0.1 * forecast.Peak + 1e6;
}
