// A word that is a float or an address is compared with null on its way to other memory: it is moved
// as its shadow tells.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
// RUN: %clang -O2 -fno-strict-aliasing %s -lm -o %t.untagged && %t.untagged
#include "../EndToEnd/check.h"

typedef union {
  double number;
  void *address;
} Cell;

double compared(const Cell *from, int n) {
  Cell to[8];
  double sum = 0;
  int count = 0;
  for (int i = 0; i < n; i++) {
    void *address = from[n - 1 - i].address;
    count += address != 0;
    to[i].address = address;
  }
  for (int i = 0; i < n; i++)
    sum += to[i].number * from[i].number;
  return sum * count;
}

int main(void) {
  enum { N = 4 };
  Cell c[N], d[N], t[N];
  double along = 0;
  for (int i = 0; i < N; i++) {
    c[i].number = i + 1.5;
    d[i].number = 0;
    t[i].number = 0.5 - 0.3 * i;
  }
  __enzyme_autodiff((void *)compared, c, d, N);
  for (int i = 0; i < N; i++) {
    double expected = 2 * N * c[N - 1 - i].number;
    CHECK_AT("compared", i, d[i].number, expected);
    along += expected * t[i].number;
  }
  CHECK("compared forward", __enzyme_fwddiff((void *)compared, c, t, N), along);
  return finish();
}
