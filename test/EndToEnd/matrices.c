// Clang's matrix type: products, transposes, moves.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-fenable-matrix %s
#include "check.h"

typedef double matrix __attribute__((matrix_type(2, 3)));
typedef double square __attribute__((matrix_type(2, 2)));

double products(const double *x, int n) {
  matrix a = __builtin_matrix_column_major_load((double *)x, 2, 3, 2);
  matrix b = a * x[0] + a;
  square s = a * __builtin_matrix_transpose(b);
  s[0][1] += x[1];
  s = s * s - s;
  double y[6] = {0}, sum = 0;
  __builtin_matrix_column_major_store(s, y, 3);
  for (int i = 0; i < 6; i++)
    sum += y[i] * (i + 1);
  return sum * b[1][2];
}

int main(void) {
  double x[6], t[6];
  fill(x, 6, 97, -1, 1);
  fill(t, 6, 98, -1, 1);
  CHECK_FUNCTION(products, 6, x, t, 6);
  return finish();
}
