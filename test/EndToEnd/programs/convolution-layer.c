// A convolution with padding and stride, pooling, batch normalisation, softmax and cross entropy.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define MAX(A, B) ((A) > (B) ? (A) : (B))

typedef struct {
  int channels, height, width;
  double *data;
} Tensor;

static Tensor tensor(int channels, int height, int width) {
  Tensor t = {channels, height, width, calloc(channels * height * width, sizeof(double))};
  return t;
}
static double *at(const Tensor *t, int c, int y, int x) {
  return t->data + (c * t->height + y) * t->width + x;
}
static Tensor convolve(const Tensor *in, const double *kernels, int filters, int size, int stride) {
  const int pad = size / 2;
  Tensor out =
      tensor(filters, (in->height + stride - 1) / stride, (in->width + stride - 1) / stride);
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < out.height; y++)
      for (int x = 0; x < out.width; x++)
        for (int c = 0; c < in->channels; c++)
          for (int i = 0; i < size; i++) {
            int row = y * stride + i - pad;
            if (row < 0 || row >= in->height)
              continue;
            for (int j = 0; j < size; j++) {
              int column = x * stride + j - pad;
              if (column >= 0 && column < in->width)
                *at(&out, f, y, x) += kernels[((f * in->channels + c) * size + i) * size + j] *
                                      *at(in, c, row, column);
            }
          }
  return out;
}
static void normalizeChannels(Tensor *t, const double *gain, const double *shift) {
  const int n = t->height * t->width;
  for (int c = 0; c < t->channels; c++) {
    double *p = at(t, c, 0, 0), mean = 0, variance = 0;
    for (int i = 0; i < n; i++)
      mean += p[i] / n;
    for (int i = 0; i < n; i++)
      variance += (p[i] - mean) * (p[i] - mean) / n;
    for (int i = 0; i < n; i++)
      p[i] = gain[c] * (p[i] - mean) / sqrt(variance + 1e-5) + shift[c];
  }
}
static Tensor pool(const Tensor *in) {
  Tensor out = tensor(in->channels, in->height / 2, in->width / 2);
  for (int c = 0; c < out.channels; c++)
    for (int y = 0; y < out.height; y++)
      for (int x = 0; x < out.width; x++)
        *at(&out, c, y, x) =
            MAX(MAX(*at(in, c, 2 * y, 2 * x), *at(in, c, 2 * y, 2 * x + 1)),
                MAX(*at(in, c, 2 * y + 1, 2 * x), *at(in, c, 2 * y + 1, 2 * x + 1)));
  return out;
}
static double crossEntropy(const double *scores, int n, int label) {
  double largest = scores[0], sum = 0;
  for (int i = 1; i < n; i++)
    largest = MAX(largest, scores[i]);
  for (int i = 0; i < n; i++)
    sum += exp(scores[i] - largest);
  return log(sum) + largest - scores[label];
}

enum { FILTERS = 3, SIZE = 3, HEIGHT = 6, WIDTH = 8, CLASSES = 4, FEATURES = FILTERS * 3 * 4 };
typedef struct {
  double kernels[FILTERS * 2 * SIZE * SIZE], gain[FILTERS], shift[FILTERS];
  double dense[CLASSES][FEATURES];
} Weights;
enum { WEIGHTS = sizeof(Weights) / sizeof(double) };

double classify(const Weights *w, const Tensor *image, int label) {
  Tensor maps = convolve(image, w->kernels, FILTERS, SIZE, 1);
  normalizeChannels(&maps, w->gain, w->shift);
  Tensor features = pool(&maps);
  double scores[CLASSES] = {0};
  for (int k = 0; k < CLASSES; k++)
    for (int i = 0; i < FEATURES; i++)
      scores[k] += w->dense[k][i] * features.data[i];
  free(maps.data);
  free(features.data);
  return crossEntropy(scores, CLASSES, label);
}

int main(void) {
  static Weights w, d, t;
  double pixels[2 * HEIGHT * WIDTH], dp[2 * HEIGHT * WIDTH] = {0}, tp[2 * HEIGHT * WIDTH];
  double *x = (double *)&w, *dx = (double *)&d, *tx = (double *)&t;
  fill(x, WEIGHTS, 49, -1, 1);
  fill(tx, WEIGHTS, 50, -1, 1);
  fill(pixels, 2 * HEIGHT * WIDTH, 51, -1, 1);
  fill(tp, 2 * HEIGHT * WIDTH, 52, -1, 1);
  Tensor image = {2, HEIGHT, WIDTH, pixels}, dimage = {2, HEIGHT, WIDTH, dp},
         timage = {2, HEIGHT, WIDTH, tp};
  __enzyme_autodiff((void *)classify, &w, &d, &image, &dimage, 2);
  for (int i = 0; i < WEIGHTS; i += i < 60 ? 1 : 7)
    CHECK_AT("weight", i, dx[i], SLOPE_WITHIN(1e-4, x[i], classify(&w, &image, 2)));
  for (int i = 0; i < 2 * HEIGHT * WIDTH; i += 5)
    CHECK_AT("pixel", i, dp[i], SLOPE_WITHIN(1e-4, pixels[i], classify(&w, &image, 2)));
  CHECK("forward", __enzyme_fwddiff((void *)classify, &w, &t, &image, &timage, 2),
        innerProduct(tx, dx, WEIGHTS) + innerProduct(tp, dp, 2 * HEIGHT * WIDTH));
  return finish();
}
