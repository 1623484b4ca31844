// A function that is not inlined chooses in registers between unions whose first member is a double.
// Where one of them holds an address, its shadow stayed behind, and the derivative by what the
// address leads to went elsewhere: now an error. (At -O3, the function is given what the unions
// hold.) Where they hold numbers, and where doubles are chosen, everything is right.
// RUN: %python %S/../EndToEnd/run-matrix.py --levels=-O0,-O1,-O2,-O3 --keep plan --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: not %clang -w -O1 -DADDRESSES -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O2 -DADDRESSES -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -w -O3 -DADDRESSES -I%S/../EndToEnd -c %s -o %t.o 2>&1 | FileCheck %s
#include "check.h"
#define APART __attribute__((noinline))

union word {
  double number;
  double *address;
};
struct cell {
  double number;
  double *address;
};
static volatile int second;

#define CHOOSE(NAME, TYPE)                                                                         \
  static APART void NAME(TYPE *to, const TYPE *a, const TYPE *b, int c) {                          \
    double t = a->number;                                                                          \
    if (c) {                                                                                       \
      t = b->number;                                                                               \
      second++;                                                                                    \
    }                                                                                              \
    to->number = t;                                                                                \
  }
CHOOSE(choose_cell, struct cell)
// CHECK: error: {{what is moved here may be a differentiated float|an address is passed as the bits}}
CHOOSE(choose_word, union word)

static double f(double *x, int c) {
  struct cell cells[3] = {{x[0], x}, {x[1] * x[1], x + 1}, {0, x + 2}};
  choose_cell(cells + 2, cells, cells + 1, c);
  double sum = cells[2].number * *cells[2].address;
  union word words[3];
#ifdef ADDRESSES
  words[0].address = x;
  words[1].address = x + 1;
  choose_word(words + 2, words, words + 1, c);
  double chosen = *words[2].address;
  words[2].number = x[2];
  return sum + chosen * words[2].number;
#else
  words[0].number = x[0];
  words[1].number = x[1] * x[2];
  choose_word(words + 2, words, words + 1, c);
  return sum + words[2].number * x[2];
#endif
}

int main(void) {
  double x[3] = {0.3, 0.9, -0.4};
  for (int c = 0; c < 2; c++) {
    double d[3] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, c);
    for (int i = 0; i < 3; i++)
      CHECK_AT("f", i, d[i], SLOPE(x[i], f(x, c)));
  }
  return finish();
}
