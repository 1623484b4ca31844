// A small neural network: layers of varying width in one weight array, tanh, cross entropy.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { LAYERS = 3, WEIGHTS = 4 * 6 + 6 + 6 * 5 + 5 + 5 * 3 + 3, LARGEST = 6 };
static const int widths[LAYERS + 1] = {4, 6, 5, 3};

double loss(const double *weights, const double *input, int label) {
  double now[LARGEST], next[LARGEST];
  for (int i = 0; i < widths[0]; i++)
    now[i] = input[i];
  const double *w = weights;
  for (int layer = 0; layer < LAYERS; layer++) {
    int in = widths[layer], out = widths[layer + 1];
    for (int o = 0; o < out; o++) {
      double sum = w[in * out + o];
      for (int i = 0; i < in; i++)
        sum += w[o * in + i] * now[i];
      next[o] = layer + 1 < LAYERS ? tanh(sum) : sum;
    }
    w += in * out + out;
    for (int o = 0; o < out; o++)
      now[o] = next[o];
  }
  double largest = now[0], sum = 0;
  for (int i = 1; i < widths[LAYERS]; i++)
    largest = fmax(largest, now[i]);
  for (int i = 0; i < widths[LAYERS]; i++)
    sum += exp(now[i] - largest);
  return largest + log(sum) - now[label];
}

int main(void) {
  double w[WEIGHTS], dw[WEIGHTS] = {0}, tw[WEIGHTS], x[4], dx[4] = {0}, tx[4];
  fill(w, WEIGHTS, 1, -1, 1);
  fill(x, 4, 2, -1, 1);
  fill(tw, WEIGHTS, 3, -1, 1);
  fill(tx, 4, 4, -1, 1);
  __enzyme_autodiff((void *)loss, w, dw, x, dx, 1);
  for (int i = 0; i < WEIGHTS; i++)
    CHECK_AT("weight", i, dw[i], SLOPE(w[i], loss(w, x, 1)));
  for (int i = 0; i < 4; i++)
    CHECK_AT("input", i, dx[i], SLOPE(x[i], loss(w, x, 1)));
  CHECK("jvp", __enzyme_fwddiff((void *)loss, w, tw, x, tx, 1),
        innerProduct(tw, dw, WEIGHTS) + innerProduct(tx, dx, 4));
  return finish();
}
