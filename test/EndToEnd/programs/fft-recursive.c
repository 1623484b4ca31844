// A recursive Fourier transform with structs of complex numbers returned by value.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct {
  double re, im;
} Complex;

static Complex add(Complex a, Complex b) { return (Complex){a.re + b.re, a.im + b.im}; }
static Complex sub(Complex a, Complex b) { return (Complex){a.re - b.re, a.im - b.im}; }
static Complex mul(Complex a, Complex b) {
  return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static Complex turn(double angle) { return (Complex){cos(angle), sin(angle)}; }
static double power(Complex a) { return a.re * a.re + a.im * a.im; }

static void transform(const Complex *in, Complex *out, int n, int stride) {
  if (n == 1) {
    *out = *in;
    return;
  }
  const int half = n / 2;
  transform(in, out, half, 2 * stride);
  transform(in + stride, out + half, half, 2 * stride);
  for (int k = 0; k < half; k++) {
    Complex even = out[k], odd = mul(turn(-2 * M_PI * k / n), out[k + half]);
    out[k] = add(even, odd);
    out[k + half] = sub(even, odd);
  }
}

/* A power spectrum, weighted by frequency, of a windowed signal. */
double sharpness(const double *signal, const double *window, int n) {
  Complex *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
  for (int i = 0; i < n; i++) {
    in[i].re = signal[i] * window[i];
    in[i].im = 0;
  }
  transform(in, out, n, 1);
  double sum = 0, total = 1e-3;
  for (int k = 0; k <= n / 2; k++) {
    sum += k * k * power(out[k]);
    total += power(out[k]);
  }
  free(in);
  free(out);
  return sum / total;
}

enum { N = 16 };

int main(void) {
  double s[N], w[N], t[2 * N], d[2 * N] = {0};
  fill(s, N, 31, -1, 1);
  fill(t, 2 * N, 32, -1, 1);
  for (int i = 0; i < N; i++)
    w[i] = 0.54 - 0.46 * cos(2 * M_PI * i / (N - 1));
  __enzyme_autodiff((void *)sharpness, s, d, w, d + N, N);
  CHECK_SLOPES_WITHIN(1e-3, "signal", N, s, d, sharpness(s, w, N));
  CHECK_SLOPES_WITHIN(1e-3, "window", N, w, d + N, sharpness(s, w, N));
  CHECK_FORWARD("sharpness", __enzyme_fwddiff((void *)sharpness, s, t, w, t + N, N), 2 * N, t, d);
  return finish();
}
