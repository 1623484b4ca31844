// A Fourier transform in place: bit reversal, butterflies, strides; a convolution and its energy.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define SWAP(A, B)                                                                                 \
  do {                                                                                             \
    double swap_ = (A);                                                                            \
    (A) = (B);                                                                                     \
    (B) = swap_;                                                                                   \
  } while (0)

/* data holds n pairs (re, im); n is a power of two. */
static void fft(double *data, unsigned n, int direction) {
  for (unsigned i = 1, j = 0; i < n; i++) {
    unsigned bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j |= bit;
    if (i < j) {
      SWAP(data[2 * i], data[2 * j]);
      SWAP(data[2 * i + 1], data[2 * j + 1]);
    }
  }
  for (unsigned span = 1; span < n; span <<= 1) {
    const double angle = direction * M_PI / span;
    const double wr = cos(angle), wi = sin(angle);
    double ur = 1, ui = 0;
    for (unsigned k = 0; k < span; k++) {
      for (double *p = data + 2 * k; p < data + 2 * n; p += 4 * span) {
        double *q = p + 2 * span;
        double tr = ur * q[0] - ui * q[1], ti = ur * q[1] + ui * q[0];
        q[0] = p[0] - tr;
        q[1] = p[1] - ti;
        p[0] += tr;
        p[1] += ti;
      }
      double next = ur * wr - ui * wi;
      ui = ur * wi + ui * wr;
      ur = next;
    }
  }
}

/* result = circular convolution of a and b, by way of their spectra */
void convolve(const double *a, const double *b, double *result, unsigned n) {
  double *x = malloc(2 * n * sizeof *x), *y = malloc(2 * n * sizeof *y);
  for (unsigned i = 0; i < n; i++) {
    x[2 * i] = a[i];
    y[2 * i] = b[i];
    x[2 * i + 1] = y[2 * i + 1] = 0;
  }
  fft(x, n, -1);
  fft(y, n, -1);
  for (unsigned i = 0; i < n; i++) {
    double re = x[2 * i] * y[2 * i] - x[2 * i + 1] * y[2 * i + 1];
    x[2 * i + 1] = x[2 * i] * y[2 * i + 1] + x[2 * i + 1] * y[2 * i];
    x[2 * i] = re;
  }
  fft(x, n, +1);
  for (unsigned i = 0; i < n; i++)
    result[i] = x[2 * i] / n;
  free(x);
  free(y);
}

enum { N = 16 };

int main(void) {
  double a[N], b[N], t[2 * N], d[2 * N] = {0}, c[N], w[N], dw[N], tc[N] = {0};
  fill(a, N, 1, -1, 1);
  fill(b, N, 2, -1, 1);
  fill(t, 2 * N, 3, -1, 1);
  fill(w, N, 4, -1, 1);
  memcpy(dw, w, sizeof w);
  __enzyme_autodiff((void *)convolve, a, d, b, d + N, c, dw, N);
  for (int j = 0; j < N; j++) {
    double da = 0, db = 0, direct = 0;
    for (int i = 0; i < N; i++) {
      da += w[i] * b[(i - j + N) % N];
      db += w[i] * a[(i - j + N) % N];
      direct += a[i] * b[(j - i + N) % N];
    }
    CHECK_AT("a", j, d[j], da);
    CHECK_AT("b", j, d[N + j], db);
    CHECK_AT("value", j, c[j], direct);
  }
  __enzyme_fwddiff((void *)convolve, a, t, b, t + N, c, tc, N);
  CHECK_FORWARD("convolve", innerProduct(w, tc, N), 2 * N, t, d);
  return finish();
}
