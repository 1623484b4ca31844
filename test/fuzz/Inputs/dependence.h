// Comparison of patterns with derivatives: see dependence.inc.
#include "cases.h"
#include <isozyme/isozyme.h>
double __enzyme_fwddiff_number(void *, ...);
double __enzyme_autodiff_number(void *, ...);
double __isozyme_dependence_number(void *, ...);
#define WIDE_JOIN(a, b, c) a##b##c
#define WIDE_NAME(a, b, c) WIDE_JOIN(a, b, c)

// All that a program reads and writes; its masks or tangents lie likewise.
typedef struct {
  double x[NX], y[NY], a, gx[NX], gy[NY], value;
} Memory;
enum { VARIABLES = NX + NY + 1, NUMBERS = sizeof(Memory) / sizeof(double) };
static long entries, missing, spare;

static void startMemory(Memory *v, int c) {
  double unused[NX + NY + 1];
  memset(v, 0, sizeof *v);
  fillCase(c, v->x, v->y, &v->a);
  fillSeeds(c, 0, v->gy, unused, unused + NX, unused + NX + NY);
}
static void comparePattern(void (*f)(int, Memory *, Memory *, int, int), int c, int second) {
  volatile int size = sizes[c];
  Memory v, masks, tangents;
  startMemory(&v, c);
  memset(&masks, 0, sizeof masks);
  for (int i = 0; i < VARIABLES; i++) {
    uint64_t bit = 1ull << i;
    memcpy((double *)&masks + i, &bit, sizeof bit);
  }
  f(second, &v, &masks, size, 1);
  for (int j = 0; j < VARIABLES; j++) {
    startMemory(&v, c);
    memset(&tangents, 0, sizeof tangents);
    ((double *)&tangents)[j] = 1;
    f(second, &v, &tangents, size, 0);
    for (int i = 0; i < NUMBERS; i++) {
      uint64_t mask;
      memcpy(&mask, (double *)&masks + i, sizeof mask);
      double t = ((double *)&tangents)[i];
      entries += mask >> j & 1;
      missing += t != 0 && t == t && !(mask >> j & 1);
      spare += t == 0 && (mask >> j & 1);
    }
  }
}
