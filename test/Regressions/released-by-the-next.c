// A block that the function keeps in a global variable, and releases when it runs again: between two derivatives it has
// no shadow of its own. What is known of the address ("nonnull") is not known of the shadow, which is null then; in
// forward mode, the block was released twice. The shadow is lost with each derivative (docs/limits.md): a leak.
// UNSUPPORTED: memcheck-asan, memcheck-valgrind
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
#define NOINLINE __attribute__((noinline))

enum { N = 3 };

static double *history;
double kept(const double *x) {
  if (history)
    free(history);
  history = malloc(N * sizeof *history);
  for (int i = 0; i < N; i++)
    history[i] = x[i] * x[0];
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += history[i] * history[i];
  return sum;
}

static struct {
  double *numbers;
  long count;
} grown;
static NOINLINE void append(double value) {
  grown.numbers = realloc(grown.numbers, (grown.count + 1) * sizeof(double));
  grown.numbers[grown.count++] = value;
}
double appended(const double *x) {
  if (grown.numbers) {
    free(grown.numbers);
    grown.numbers = 0;
  }
  grown.count = 0;
  for (int i = 0; i < N; i++)
    append(x[i] * x[0]);
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += grown.numbers[i] * grown.numbers[i];
  return sum;
}

int main(void) {
  double x[N] = {0.7, 1.3, -0.4}, t[N] = {1, -0.5, 2}, tangent[2];
  for (int again = 0; again < 2; again++) {
    CHECK_FUNCTION(kept, N, x, t);
    CHECK_FUNCTION(appended, N, x, t);
    tangent[0] = __enzyme_fwddiff((void *)kept, x, t);
    tangent[1] = __enzyme_fwddiff((void *)appended, x, t);
    CHECK("again", tangent[0], tangent[1]);
  }
  return finish();
}
