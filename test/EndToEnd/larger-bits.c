// The larger, or smaller, of floats by their bits, which are ordered as positive floats are: the compiler makes one
// operation of such a comparison. It is a choice, and its derivative that of what is chosen.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1/-O2,-O3/-Os --keep plan %s
#include "check.h"
#include <stdint.h>
#include <string.h>

static uint64_t bits(double x) {
  uint64_t word;
  memcpy(&word, &x, 8);
  return word;
}
static double value(uint64_t word) {
  double x;
  memcpy(&x, &word, 8);
  return x;
}
static uint32_t bitsOfFloat(float x) {
  uint32_t word;
  memcpy(&word, &x, 4);
  return word;
}
static float floatOf(uint32_t word) {
  float x;
  memcpy(&x, &word, 4);
  return x;
}

static double largest(const double *in, int n) {
  uint64_t best = 0;
  for (int i = 0; i < n; i++) {
    uint64_t word = bits(in[i] * in[i]);
    best = word > best ? word : best;
  }
  return value(best) * in[0];
}
static double bounded(const double *in, int n) {
  int64_t least = (int64_t)bits(in[0] * in[1]);
  for (int i = 2; i < n; i++) {
    int64_t word = (int64_t)bits(in[i] + 0.5);
    if (word < least)
      least = word;
  }
  return sin(value((uint64_t)least));
}
static double ofFour(const double *in, int n) {
  uint64_t a = bits(in[0]), b = bits(in[1]), c = bits(in[2]), d = bits(in[3]);
  uint64_t left = a > b ? a : b, right = c > d ? c : d;
  return value(left < right ? left : right) * in[4];
}
static double inHalfOfWord(const double *in, int n) {
  uint64_t a = bitsOfFloat((float)(in[0] * in[0])), b = bitsOfFloat((float)(in[1] * in[1]));
  return floatOf((uint32_t)(a > b ? a : b)) * in[2];
}
typedef uint64_t Words __attribute__((vector_size(32)));
static double ofVectors(const double *in, int n) {
  double a[4] = {in[0], in[1], in[2] * in[3], 1}, b[4] = {in[1], in[0], 1, in[4]}, best[4];
  Words p, q, larger;
  memcpy(&p, a, sizeof p);
  memcpy(&q, b, sizeof q);
  larger = __builtin_elementwise_max(p, q);
  memcpy(best, &larger, sizeof best);
  return best[0] + 2 * best[1] + 3 * best[2] + 5 * best[3];
}

int main() {
  double x[5] = {0.7, 1.3, 0.9, 1.1, 0.4}, t[5] = {0.3, -0.2, 0.5, 0.7, -0.4};
  CHECK_FUNCTION_WITHIN(1e-4, largest, 5, x, t, 5);
  CHECK_FUNCTION_WITHIN(1e-4, bounded, 5, x, t, 5);
  CHECK_FUNCTION_WITHIN(1e-4, ofFour, 5, x, t, 5);
  CHECK_FUNCTION_WITHIN(1e-4, ofVectors, 5, x, t, 5);
  double g[5] = {0};
  __enzyme_autodiff((void *)inHalfOfWord, enzyme_dup, x, g, enzyme_const, 5);
  CHECK_FLOAT("half of a word", g[1], 2 * x[1] * x[2]);
  CHECK_FLOAT("half of a word", g[0], 0.0);
  CHECK_FLOAT("half of a word", g[2], x[1] * x[1]);
  return finish();
}
