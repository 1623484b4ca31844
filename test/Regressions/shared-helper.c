// Second derivatives of two functions call one helper, which clears records with addresses for
// the first and numbers for the second: what it clears is no matter of who came first.
// RUN: %python %S/../EndToEnd/run-matrix.py --plugin %plugin --clang %clang_bin --flag=-I%S/../EndToEnd %s
#include "check.h"
double byRows(const double *x, int n) {
  double values[6], sum = 0, *heads[3] = {0, 0, 0};
  for (int i = 0; i < 6; i++) {
    values[i] = x[i % n] * x[0];
    heads[(i * 2 + n) % 3] = &values[i];
  }
  for (int i = 0; i < 6; i++)
    values[i] *= 2 * values[i];
  for (int k = 0; k < 3; k++)
    if (heads[k])
      sum += *heads[k];
  return sum;
}
double firstOfRows(const double *x, double *d, int n) {
  __enzyme_autodiff((void *)byRows, x, d, n);
  return d[0];
}
double x[5] = {1.1, 0.7, -0.4, 0.9, 1.3}, t[5] = {0.5, -1, 2, 0.3, 0.8};
void rows(void) {
  double d[5] = {0}, dt[5] = {0}; // Of 2 x0^2 (x0^2 + x1^2 + x2^2).
  CHECK("rows", __enzyme_fwddiff((void *)firstOfRows, enzyme_dup, x, t, enzyme_dup, d, dt, enzyme_const, 3),
        (24 * x[0] * x[0] + 4 * (x[1] * x[1] + x[2] * x[2])) * t[0] +
            8 * x[0] * (x[1] * t[1] + x[2] * t[2]));
}
double byNumbers(const double *x, int n) {
  double a[5], sum = 0;
  memcpy(a, x, sizeof a);
  for (int i = 0; i < 5; i++)
    sum += sin(a[i]) * a[(i + n) % 5];
  if (n == 3)
    memset(a + 3, 0, 2 * sizeof(double));
  for (int i = 0; i < 5; i++)
    sum += a[i] * a[(i + n) % 5] + 0.5 * a[i];
  return sum;
}
double firstOfNumbers(const double *x, double *d, int n) {
  __enzyme_autodiff((void *)byNumbers, x, d, n);
  return d[0];
}
void numbers(void) {
  double d[5] = {0}, dt[5] = {0}, ahead[5], behind[5], after[5] = {0}, before[5] = {0}, h = 1e-5;
  __enzyme_fwddiff((void *)firstOfNumbers, enzyme_dup, x, t, enzyme_dup, d, dt, enzyme_const, 3);
  for (int i = 0; i < 5; i++)
    ahead[i] = x[i] + h * t[i], behind[i] = x[i] - h * t[i];
  firstOfNumbers(ahead, after, 3), firstOfNumbers(behind, before, 3);
  for (int i = 0; i < 5; i++)
    checkWithin("numbers", i, dt[i], (after[i] - before[i]) / (2 * h), 1e-8, 1e-8);
}
int main(void) {
  rows();
  numbers();
  return finish();
}
