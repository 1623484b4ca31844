// Arrays of other shapes: variable length, two and three dimensions, parameters of array type.
// UNSUPPORTED: memcheck-valgrind
// (clang 22 reads a variable-length array of the program itself after its end.)
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

double variable(const double *x, int n) {
  double y[n], sum = 0;
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[n - 1 - i];
  for (int round = 1; round < 4; round++) {
    double z[n * round];
    for (int i = 0; i < n * round; i++)
      z[i] = y[i % n] * round + (i ? z[i - 1] : 0);
    sum += z[n * round - 1] * z[0];
  }
  return sum;
}
double plane(const double x[][3], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 3; j++)
      sum += x[i][j] * x[n - 1 - i][(j + 1) % 3];
  return sum;
}
double cube(const double *x, int n) {
  double c[2][3][2], sum = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 2; k++)
        c[i][j][k] = x[(i + j + k) % n] * (i ? c[i - 1][j][k] : 1) + (j ? c[i][j - 1][k] : 0);
  for (int j = 0; j < 3; j++)
    sum += c[1][j][0] * c[0][j][1];
  return sum;
}
double unrolled(const double x[6]) {
  double y[6] = {x[0], x[1] * x[2], 1, 0};
  for (int i = 1; i < 6; i++)
    y[i] = y[i] * y[i - 1] + x[i];
  return y[5] * y[3];
}

#define TEST(CALL, F, ...)                                                                         \
  do {                                                                                             \
    double dx[6] = {0};                                                                            \
    __enzyme_autodiff((void *)F, x, dx, ##__VA_ARGS__);                                            \
    for (int i = 0; i < 6; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE(x[i], CALL));                                                   \
    CHECK(#F " jvp", __enzyme_fwddiff((void *)F, x, t, ##__VA_ARGS__), innerProduct(t, dx, 6));    \
  } while (0)

int main(void) {
  double x[6], t[6];
  fill(x, 6, 2, -1, 1);
  fill(t, 6, 3, -1, 1);
  TEST(variable(x, 6), variable, 6);
  TEST(plane((const double (*)[3])x, 2), plane, 2);
  TEST(cube(x, 6), cube, 6);
  TEST(unrolled(x), unrolled);
  return finish();
}
