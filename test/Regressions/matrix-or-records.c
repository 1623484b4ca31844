// A matrix on one way, records on the other: the optimiser makes one call of the last release of
// each, and the diagonal of the matrix, a number every 40 bytes, hid the addresses in the records,
// every 24 bytes. When these were moved to a new place, their shadows stayed behind.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd --flag=-fno-strict-aliasing %s
#include "check.h"
#include <stdlib.h>
typedef struct {
  double value;
  int length;
  double *row;
} record;
double f(const double *x, int n) {
  double s = 0.1;
  if (n < 2) {
    double *old = malloc(16 * sizeof(double)), *new = malloc(16 * sizeof(double));
    for (int i = 0; i < 16; i++)
      old[i] = new[i] = 0.1 * (i % 3) + 0.125 * x[i % 3];
    for (int i = 0; i < 5 + n; i++) {
      double *other = old;
      old = new, new = other;
    }
    for (int i = 0; i < 4; i++)
      s = 0.6 * s + 0.2 * old[i * 4 + i];
    free(old);
    free(new);
  } else {
    int used = 0, room = 1;
    record *all = malloc(room * sizeof(record));
    for (int i = 0; i <= n; i++) {
      if (used == room) {
        room *= 2;
        all = realloc(all, room * sizeof(record));
      }
      all[used].value = x[i % 3];
      all[used].length = 1 + i % 2;
      all[used].row = malloc(all[used].length * sizeof(double));
      for (int j = 0; j < all[used].length; j++)
        all[used].row[j] = 0.5 * all[used].value + x[2];
      used++;
    }
    while (used--) {
      for (int j = all[used].length; j--;)
        s = 0.6 * s + 0.2 * all[used].row[j] * all[used].value;
      free(all[used].row);
    }
    free(all);
  }
  return s;
}
int main(void) {
  double x[3] = {0.3, 0.4, 0.7}, t[3] = {1, 0.5, -0.8};
  for (int n = 0; n < 5; n++)
    CHECK_FUNCTION(f, 3, x, t, n);
  return finish();
}
