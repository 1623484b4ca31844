// A product of matrices by tiles in shared memory, with barriers in a loop whose length the host says; and a layer
// norm and a softmax of rows that a block reduces.
// RUN: %run_kernels %s
#include "device.h"
#include "tape.h"

#ifndef EMULATED

__shared__ double left[4][4], right[4][4], row[16];

__device__ void multiply(const double *a, const double *b, double *c, int tiles) {
  int x = threadX() % 4, y = threadX() / 4, n = 4 * tiles;
  int i = blockX() / tiles * 4 + y, j = blockX() % tiles * 4 + x;
  double sum = 0;
  for (int k = 0; k < tiles; ++k) {
    left[y][x] = a[i * n + 4 * k + x];
    right[y][x] = b[(4 * k + y) * n + j];
    waitForBlock();
    for (int l = 0; l < 4; ++l)
      sum += left[y][l] * right[l][x];
    waitForBlock();
  }
  c[i * n + j] = sum;
}

__device__ double sumOfBlock(double mine) {
  int t = threadX();
  waitForBlock();
  row[t] = mine;
  waitForBlock();
  for (int s = 8; s > 0; s /= 2) {
    if (t < s)
      row[t] += row[t + s];
    waitForBlock();
  }
  return row[0];
}

// Softmax of the normalised row: each block has a row of 16.
__device__ void normalise(const double *x, const double *scale, double *y) {
  double v = x[globalX()], mean = sumOfBlock(v) / 16, off = v - mean;
  double spread = sumOfBlock(off * off) / 16;
  double e = exp(off / sqrt(spread + 1e-3) * scale[threadX()]);
  y[globalX()] = e / sumOfBlock(e);
}

KERNEL products(const double *a, const double *b, double *c, int tiles) { multiply(a, b, c, tiles); }
KERNEL product_gradients(const double *a, double *da, const double *b, double *db, double *c, double *dc, int tiles) {
  __enzyme_autodiff<void>((void *)multiply, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc, enzyme_const,
                          tiles);
}
KERNEL rows(const double *x, const double *scale, double *y) { normalise(x, scale, y); }
KERNEL row_gradients(const double *x, double *dx, const double *scale, double *dscale, double *y, double *dy) {
  __enzyme_autodiff<void>((void *)normalise, enzyme_dup, x, dx, enzyme_dup, scale, dscale, enzyme_dup, y, dy);
}

#else

KERNEL products(const double *a, const double *b, double *c, int tiles);
KERNEL product_gradients(const double *a, double *da, const double *b, double *db, double *c, double *dc, int tiles);
KERNEL rows(const double *x, const double *scale, double *y);
KERNEL row_gradients(const double *x, double *dx, const double *scale, double *dscale, double *y, double *dy);

static std::vector<double> wave(int n, double f) {
  std::vector<double> v(n);
  for (int i = 0; i < n; ++i)
    v[i] = std::sin(f * (i + 1));
  return v;
}

static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

int main() {
  const int tiles = 2, n = 4 * tiles, m = n * n;
  std::vector<double> a = wave(m, 0.7), b = wave(m, 1.1), c(m), w = wave(m, 0.3), da(m), db(m), dc = w;
  gpu::launchCounted(product_gradients, tiles * tiles, 16, a.data(), da.data(), b.data(), db.data(), c.data(),
                     dc.data(), tiles);
  auto product = [&] {
    gpu::launch(products, tiles * tiles, 16, a.data(), b.data(), c.data(), tiles);
    return dot(c, w);
  };
  gpu::expectGradient<double>("da", a, da, product);
  gpu::expectGradient<double>("db", b, db, product);

  std::vector<double> x = wave(32, 0.9), scale = wave(16, 0.5), y(32), v = wave(32, 1.7), dx(32), dscale(16), dy = v;
  gpu::launchCounted(row_gradients, 2, 16, x.data(), dx.data(), scale.data(), dscale.data(), y.data(), dy.data());
  auto normalised = [&] {
    gpu::launch(rows, 2, 16, x.data(), scale.data(), y.data());
    return dot(y, v);
  };
  gpu::expectGradient<double>("dx", x, dx, normalised);
  gpu::expectGradient<double>("dscale", scale, dscale, normalised);
}

#endif
