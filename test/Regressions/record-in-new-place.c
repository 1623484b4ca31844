// Second derivatives of records that a growing array moves to a new place, without the types of
// the source: the optimiser moves the shadows of their addresses as integers, and nothing told
// that these are no numbers. They counted as inactive, and what they lead to had no tangent.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd --flag=-fno-strict-aliasing %s
#include "check.h"
#include <stdlib.h>
typedef struct {
  double value;
  int length;
  double *row;
} record;
double f(const double *x) {
  double s = 0.1;
  for (int round = 0; round < 3; round++) {
    int used = 0, room = 1;
    record *all = malloc(room * sizeof(record));
    for (int i = 0; i < 2; i++) {
      if (used == room) {
        room *= 2;
        all = realloc(all, room * sizeof(record));
      }
      record *r = &all[used++];
      r->value = x[i];
      r->length = 1 + i % 2;
      r->row = malloc(r->length * sizeof(double));
      for (int j = 0; j < r->length; j++)
        r->row[j] = 0.5 * r->value + sin(s) * x[2];
    }
    for (int i = 0; i < used; i++) {
      for (int j = 0; j < all[i].length; j++)
        s = 0.6 * s + 0.2 * all[i].row[j];
      free(all[i].row);
    }
    free(all);
  }
  return s + cos(x[2]);
}
void gradient(const double *x, double *d) { __enzyme_autodiff((void *)f, x, d); }
int main(void) {
  double x[3] = {0.3, 0.4, 0.7}, t[3] = {1, 0.5, -0.8}, h = 1e-5;
  double d[3] = {0}, dt[3] = {0}, ahead[3], behind[3], after[3] = {0}, before[3] = {0};
  __enzyme_fwddiff((void *)gradient, x, t, d, dt);
  for (int i = 0; i < 3; i++)
    ahead[i] = x[i] + h * t[i], behind[i] = x[i] - h * t[i];
  gradient(ahead, after), gradient(behind, before);
  for (int i = 0; i < 3; i++)
    checkWithin("second derivative", i, dt[i], (after[i] - before[i]) / (2 * h), 1e-8, 1e-8);
  return finish();
}
