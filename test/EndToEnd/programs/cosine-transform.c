// An image codec: 8x8 cosine transform from a lazily filled table, soft quantisation, distortion.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define B 8

static double basis[B][B];
static int ready;

static void prepare(void) {
  if (ready)
    return;
  for (int k = 0; k < B; k++)
    for (int n = 0; n < B; n++)
      basis[k][n] = (k ? sqrt(2.0 / B) : sqrt(1.0 / B)) * cos(M_PI * k * (2 * n + 1) / (2 * B));
  ready = 1;
}
static const unsigned char zigzag[10] = {0, 1, 8, 16, 9, 2, 3, 10, 17, 24};

static void transform(double block[B][B], int inverse) {
  double rows[B][B];
  for (int i = 0; i < B; i++)
    for (int k = 0; k < B; k++) {
      rows[i][k] = 0;
      for (int n = 0; n < B; n++)
        rows[i][k] += block[i][n] * (inverse ? basis[n][k] : basis[k][n]);
    }
  for (int j = 0; j < B; j++)
    for (int k = 0; k < B; k++) {
      block[k][j] = 0;
      for (int n = 0; n < B; n++)
        block[k][j] += rows[n][j] * (inverse ? basis[n][k] : basis[k][n]);
    }
}
/* Rounds softly: a step made of a sine. */
static double quantize(double x, double step) {
  double t = x / step;
  return step * (t - 0.8 * sin(2 * M_PI * t) / (2 * M_PI));
}

/* Rate plus distortion of an image of w x h pixels, both multiples of 8. */
double codec(const double *image, int w, int h, const double *steps, double lambda) {
  double distortion = 0, rate = 0;
  prepare();
  for (int y = 0; y < h; y += B)
    for (int x = 0; x < w; x += B) {
      double block[B][B], kept[B][B] = {{0}};
      for (int i = 0; i < B; i++)
        memcpy(block[i], image + (y + i) * w + x, sizeof block[i]);
      transform(block, 0);
      for (int k = 0; k < 10; k++) {
        int i = zigzag[k] / B, j = zigzag[k] % B;
        kept[i][j] = quantize(block[i][j], steps[k]);
        rate += log1p(kept[i][j] * kept[i][j] / (steps[k] * steps[k]));
      }
      transform(kept, 1);
      for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++) {
          double e = kept[i][j] - image[(y + i) * w + x + j];
          distortion += e * e;
        }
    }
  return distortion + lambda * rate;
}

enum { W = 16, H = 8 };

int main(void) {
  static double image[W * H], d[W * H + 10], t[W * H + 10];
  double steps[10], lambda = 0.3;
  fill(image, W * H, 46, -1, 1);
  fill(t, W * H + 10, 47, -1, 1);
  fill(steps, 10, 48, 0.5, 1);
  double dl = __enzyme_autodiff((void *)codec, image, d, W, H, steps, d + W * H, lambda);
  for (int i = 0; i < W * H; i += 5)
    CHECK_AT("pixel", i, d[i], SLOPE_WITHIN(1e-3, image[i], codec(image, W, H, steps, lambda)));
  CHECK_SLOPES_WITHIN(1e-3, "step", 10, steps, d + W * H, codec(image, W, H, steps, lambda));
  CHECK("lambda", dl, SLOPE(lambda, codec(image, W, H, steps, lambda)));
  double tangent = __enzyme_fwddiff((void *)codec, image, t, W, H, steps, t + W * H, lambda, 0.5);
  CHECK("forward", tangent, innerProduct(t, d, W * H + 10) + 0.5 * dl);
  return finish();
}
