// Numbers that are kept in pieces: bytes or halves in memory that nobody reads as numbers. It was
// taken for memory without numbers, so the derivatives were zero. Forward mode moves the pieces of
// the tangents; reverse mode cannot add to a piece, and nobody can shift one.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O1 --keep=plan --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O0 -DMOVED=ring -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MOVED %s
// RUN: not %clang -w -O1 -DMOVED=ring -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MOVED %s
// RUN: not %clang -w -O2 -DSHIFTED=ring -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: not %clang -w -O0 -DMOVED=halves -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=MOVED %s
// RUN: not %clang -w -O0 -DSHIFTED=shifts -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=KEPT %s
// RUN: not %clang -w -O1 -DSHIFTED=shifts -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck --check-prefix=KEPT %s
#include "check.h"
#include <stdint.h>

// A queue of bytes with two counts behind them.
typedef struct {
  unsigned char bytes[64];
  size_t in, out;
} queue;
static void put(queue *q, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    q->bytes[(q->in + i) % sizeof q->bytes] = ((const unsigned char *)from)[i];
  q->in += n;
}
static void get(queue *q, void *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    ((unsigned char *)to)[i] = q->bytes[(q->out + i) % sizeof q->bytes];
  q->out += n;
}
double ring(const double *x) {
  queue q;
  q.in = q.out = 40;
  double sum = 0;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 3; i++) {
      double v = x[i] * (round + 1);
      put(&q, &v, sizeof v);
    }
    for (int i = 0; i < 3; i++) {
      double v;
      get(&q, &v, sizeof v);
      sum += v * v * x[(i + round) % 3];
    }
  }
  return sum;
}

static void copy(uint32_t *to, const uint32_t *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}
double halves(const double *x) {
  uint32_t kept[6];
  double y[3], z[3];
  for (int i = 0; i < 3; i++)
    y[i] = x[i] * x[(i + 1) % 3];
  copy(kept, (uint32_t *)y, 6);
  copy((uint32_t *)z, kept, 6);
  return z[0] * z[1] + z[2];
}

// Small integers beside a number are none of its bytes.
typedef struct {
  float scale;
  signed char weights[8];
} layer;
double small(const double *x, int n) {
  layer l[2];
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    l[k].scale = (float)(x[k] * x[2]);
    for (int i = 0; i < 8; i++)
      l[k].weights[i] = (signed char)((i * n + k) % 100 - 50);
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 8; i++)
      sum += l[k].scale * l[k].weights[i] * x[i % 3];
  return sum;
}

#ifdef SHIFTED
static void write(unsigned char *to, double d) {
  uint64_t bits;
  memcpy(&bits, &d, 8);
  for (int i = 0; i < 8; i++)
    to[i] = bits >> (8 * i);
}
static double read(const unsigned char *from) {
  uint64_t bits = 0;
  double d;
  for (int i = 0; i < 8; i++)
    bits |= (uint64_t)from[i] << (8 * i);
  memcpy(&d, &bits, 8);
  return d;
}
double shifts(const double *x) {
  unsigned char kept[16];
  write(kept, x[0] * 3);
  write(kept + 8, x[1] * x[0]);
  return read(kept) * read(kept + 8);
}
// KEPT: error: the bits of a differentiated float are kept in memory as an integer; keep the float itself there [IZ202]
double tangent(const double *x, double *t) { return __enzyme_fwddiff((void *)SHIFTED, x, t); }
#endif
#ifdef MOVED
// MOVED: error: what is moved here may be a differentiated float, or else an address or an integer; move it by the type that it has, where that is known, or use forward mode, which works for either [IZ202]
void gradient(const double *x, double *d) { __enzyme_autodiff((void *)MOVED, x, d); }
#endif
int main(void) {
  double x[3] = {1.5, -0.7, 0.4}, t[3] = {0.5, 2, -1}, slope = 0;
  for (int i = 0; i < 3; i++)
    slope += t[i] * SLOPE(x[i], ring(x));
  CHECK("ring", __enzyme_fwddiff((void *)ring, x, t), slope);
  slope = 0;
  for (int i = 0; i < 3; i++)
    slope += t[i] * SLOPE(x[i], halves(x));
  CHECK("halves", __enzyme_fwddiff((void *)halves, x, t), slope);
  double d[3] = {0};
  __enzyme_autodiff((void *)small, enzyme_dup, x, d, enzyme_const, 37);
  for (int i = 0; i < 3; i++)
    checkWithin("small", i, d[i], SLOPE_WITHIN(0.1, x[i], small(x, 37)), 2e-5, 2e-5);
  return finish();
}
