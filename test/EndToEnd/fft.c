// A recursive Fourier transform with scratch memory from malloc at every level.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 16 };

static void fft(double *re, double *im, int n) {
  if (n == 1)
    return;
  int half = n / 2;
  double *scratch = malloc(sizeof(double) * 2 * n);
  double *a = scratch, *b = scratch + n;
  for (int i = 0; i < half; i++) {
    a[i] = re[2 * i];
    b[i] = im[2 * i];
    a[half + i] = re[2 * i + 1];
    b[half + i] = im[2 * i + 1];
  }
  fft(a, b, half);
  fft(a + half, b + half, half);
  for (int i = 0; i < half; i++) {
    double c = cos(2 * M_PI * i / n), s = -sin(2 * M_PI * i / n);
    double x = c * a[half + i] - s * b[half + i], y = s * a[half + i] + c * b[half + i];
    re[i] = a[i] + x;
    im[i] = b[i] + y;
    re[half + i] = a[i] - x;
    im[half + i] = b[i] - y;
  }
  free(scratch);
}
// How much power is in the lower frequencies, weighted.
double power(const double *signal, int n) {
  double re[N], im[N] = {0}, sum = 0;
  for (int i = 0; i < n; i++)
    re[i] = signal[i];
  fft(re, im, n);
  for (int k = 0; k < n / 2; k++)
    sum += (re[k] * re[k] + im[k] * im[k]) / (1 + k);
  return sum / n;
}

int main(void) {
  double x[N], dx[N] = {0}, t[N];
  fill(x, N, 12, -1, 1);
  fill(t, N, 13, -1, 1);
  show("power", power(x, N), 1e-9);
  __enzyme_autodiff((void *)power, x, dx, N);
  for (int i = 0; i < N; i++)
    CHECK_AT("signal", i, dx[i], SLOPE(x[i], power(x, N)));
  CHECK("jvp", __enzyme_fwddiff((void *)power, x, t, N), innerProduct(t, dx, N));
  return finish();
}
