// Soft binning: values are split between neighbouring bins, images are matched by their histograms.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef struct Histogram {
  double low, width;
  unsigned bins;
  double count[]; /* flexible */
} Histogram;

static Histogram *histogramNew(double low, double high, unsigned bins) {
  Histogram *h = calloc(1, sizeof(Histogram) + bins * sizeof(double));
  if (h) {
    h->low = low;
    h->width = (high - low) / bins;
    h->bins = bins;
  }
  return h;
}
static void histogramAdd(Histogram *h, double value, double weight) {
  double position = (value - h->low) / h->width - 0.5;
  if (position <= 0) {
    h->count[0] += weight;
  } else if (position >= h->bins - 1) {
    h->count[h->bins - 1] += weight;
  } else {
    unsigned bin = (unsigned)position;
    double part = position - bin;
    part = part * part * (3 - 2 * part);
    h->count[bin] += weight * (1 - part);
    h->count[bin + 1] += weight * part;
  }
}
static void histogramNormalize(Histogram *h) {
  double total = 0;
  for (unsigned i = 0; i < h->bins; i++)
    total += h->count[i];
  if (total == 0)
    return;
  for (unsigned i = 0; i < h->bins; i++)
    h->count[i] /= total;
}

typedef struct {
  int width, height;
  double *pixels;
} Image;

/* The squared distance of the cumulated histograms of two images, weighted by place. */
double match(const Image *a, const Image *b, unsigned bins) {
  const Image *images[2] = {a, b};
  Histogram *h[2] = {NULL, NULL};
  double result = -1;
  for (int k = 0; k < 2; k++) {
    if (!(h[k] = histogramNew(-1, 1, bins)))
      goto cleanup;
    for (int y = 0; y < images[k]->height; y++)
      for (int x = 0; x < images[k]->width; x++)
        histogramAdd(h[k], images[k]->pixels[y * images[k]->width + x], 1 + 0.1 * x + 0.2 * y);
    histogramNormalize(h[k]);
  }
  double sumA = 0, sumB = 0;
  result = 0;
  for (unsigned i = 0; i < bins; i++) {
    sumA += h[0]->count[i];
    sumB += h[1]->count[i];
    result += (sumA - sumB) * (sumA - sumB);
  }
cleanup:
  free(h[0]);
  free(h[1]);
  return result;
}

enum { NA = 12, NB = 15 };

int main(void) {
  double a[NA], b[NB], t[NA + NB], d[NA + NB] = {0};
  fill(a, NA, 25, -0.9, 1.1);
  fill(b, NB, 26, -1.1, 0.8);
  fill(t, NA + NB, 27, -1, 1);
  Image ia = {4, 3, a}, ib = {3, 5, b}, da = {4, 3, d}, db = {3, 5, d + NA};
  Image ta = {4, 3, t}, tb = {3, 5, t + NA};
  __enzyme_autodiff((void *)match, &ia, &da, &ib, &db, 6);
  CHECK_SLOPES_WITHIN(1e-4, "a", NA, a, d, match(&ia, &ib, 6));
  CHECK_SLOPES_WITHIN(1e-4, "b", NB, b, d + NA, match(&ia, &ib, 6));
  CHECK_FORWARD("match", __enzyme_fwddiff((void *)match, &ia, &ta, &ib, &tb, 6), NA + NB, t, d);
  return finish();
}
