// Rows longer than what counts as a record: all that is known is of floats, so what is copied are floats.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../EndToEnd/check.h"

enum { Row = 4096 };

static double first(const double *x, int n, double (*rows)[Row]) {
  memcpy(rows, x, n * sizeof(double));
  double sum = 0;
  for (int i = 0; i < 2; i++)
    sum += rows[i][0] * rows[i][0];
  for (int i = 0; i < 3; i++)
    sum += sin(rows[0][i]);
  return sum;
}

int main(void) {
  static double x[4] = {2, 3, 4, 5}, d[4], rows[2][Row], shadow[2][Row];
  extern int enzyme_const;
  __enzyme_autodiff((void *)first, enzyme_dup, x, d, enzyme_const, 4, enzyme_dup, rows, shadow);
  CHECK_SLOPES("rows", 4, x, d, first(x, 4, rows));
  return finish();
}
