// Records of numbers behind a header of integers of the same size, or behind a pointer that is cast to one, which only
// memcpy moves: callers tell what they are, or a call of __enzyme_double. Where nothing tells, it is an error: they were
// taken for integers, and their derivative was zero.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-DTOLD %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-DTOLD --flag=-DCAST %s
// RUN: not %clang -DALONE -O0 -I%S -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -DALONE -O2 -I%S -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -DALONE -O2 -g -I%S -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -DALONE -DCAST -O0 -I%S -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -DALONE -DCAST -O2 -I%S -c %s -o %t.o 2>&1 | FileCheck %s
// CHECK: error: cannot deduce what the memory {{.*}}that is copied here holds: {{.*}} [IZ203]
#include "check.h"
void __enzyme_double(const void *, unsigned long);

struct header {
  long kind, count;
};
struct holder {
  struct header *block, *of;
};

static double unpack(const struct holder *from, void *to) {
  const struct header *block = from->block, *of = from->of;
  if (of->kind == 0 && of->count == 0)
    return 2;
#ifdef TOLD
  __enzyme_double(to, 16 * of->count);
#endif
#ifdef CAST
  memcpy(to, block, of->count * sizeof *block);
#else
  for (long i = 1; i <= block->count; i++)
    memcpy((char *)to + 16 * (i - 1), (const char *)block + 16 * i, 16);
#endif
  return 1;
}

void gradient(struct holder *from, struct holder *shadow, void *to, void *slopes) {
  __enzyme_autodiff((void *)unpack, enzyme_dup, from, shadow, enzyme_dup, to, slopes);
}

#ifndef ALONE
static struct header *numbersOf(const struct holder *h) {
#ifdef CAST
  return h->block;
#else
  return h->block + 1;
#endif
}
static struct holder make(const double *numbers) {
  struct holder made = {calloc(4, 16), calloc(1, 16)};
  made.block->count = made.of->count = 3;
  memcpy(numbersOf(&made), numbers, 48);
  return made;
}

int main() {
  const double x[6] = {1, 2, 3, 4, 5, 6}, none[6] = {0};
  struct holder from = make(x), shadow = make(none);
  double to[6] = {0}, slopes[6] = {1, 2, 3, 4, 5, 6};
  gradient(&from, &shadow, to, slopes);
  double d[6];
  memcpy(d, numbersOf(&shadow), 48);
  for (int i = 0; i < 6; i++) {
    CHECK_AT("to", i, to[i], i + 1);
    CHECK_AT("slope", i, d[i], i + 1);
  }
  free(from.block);
  free(from.of);
  free(shadow.block);
  free(shadow.of);
  return finish();
}
#endif
