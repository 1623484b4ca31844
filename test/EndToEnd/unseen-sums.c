// Sums of the function may be added up in another order where nobody sees how they are rounded, and
// nowhere else: a branch, memory of the caller and the result are as in the function, to the bit.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 10, Wide = 37 };

// Ten times 0.1 are less than 1 in this order, and 1 in others. (Levels may not differ, either.)
static double branch(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum < 1 ? 3 * sum : 5 * sum;
}

static double stored(const double *x, double *sums, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  sums[0] = sum;
  return sum * sum;
}

// Memory that the function hides: a layer of a network. What comes out of it goes into tanh only.
static double layer(const double *w, const double *in, int rows, int n) {
  double *out = malloc(rows * sizeof(double));
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += w[r * n + i] * in[i];
    out[r] = sum;
  }
  double total = 0;
  for (int r = 0; r < rows; r++)
    total += tanh(out[r]) * out[r];
  free(out);
  return total;
}

// The same, but the layer is compared: which element is the largest decides.
static double largest(const double *w, const double *in, int rows, int n) {
  double *out = malloc(rows * sizeof(double)), most = -1e300;
  for (int r = 0; r < rows; r++) {
    double sum = 0;
    for (int i = 0; i < n; i++)
      sum += w[r * n + i] * in[i];
    out[r] = sum;
  }
  for (int r = 0; r < rows; r++)
    most = out[r] > most ? out[r] : most;
  free(out);
  return most * most;
}

// A loop that the optimiser unrolls, with two sums, one of which is compared.
static double unrolled(const double *x, const double *y) {
  double sum = 0, squares = 0;
  for (int i = 0; i < 12; i++) {
    sum += x[i] * y[i];
    squares += x[i] * x[i];
  }
  return exp(0.1 * sum) + (squares > 1 ? squares : 1);
}

// Kahan's sum.
static double compensated(const double *x, int n) {
  double sum = 0, lost = 0;
  for (int i = 0; i < n; i++) {
    double term = x[i] * x[i] - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return exp(0.01 * sum);
}

extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_primal_return;
double __enzyme_autodiff_value(void *, ...);

static void branches(void) {
  double x[N], d[N] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.1;
  __enzyme_autodiff((void *)branch, enzyme_dup, x, d, enzyme_const, N);
  CHECK("branch", d[0], 3);
}

static void storedBits(void) {
  double x[N], d[N] = {0}, plain[1], sums[1], ignored[1] = {0};
  for (int i = 0; i < N; i++)
    x[i] = 0.1;
  const double value = stored(x, plain, N);
  __enzyme_autodiff((void *)stored, enzyme_dup, x, d, enzyme_dup, sums, ignored, enzyme_const, N);
  CHECK("stored", sums[0] == plain[0], 1);
  memset(d, 0, sizeof d);
  double got = __enzyme_autodiff_value((void *)stored, enzyme_primal_return, enzyme_dup, x, d,
                                       enzyme_dup, sums, ignored, enzyme_const, N);
  CHECK("returned", got == value, 1);
  CHECK("slope", d[3], 2 * value);
}

static void layers(void) {
  double w[4 * Wide], in[Wide], d[4 * Wide] = {0}, e[4 * Wide] = {0};
  for (int i = 0; i < Wide; i++)
    in[i] = sin(i + 1);
  for (int i = 0; i < 4 * Wide; i++)
    w[i] = 0.3 * cos(1.3 * i);
  __enzyme_autodiff((void *)layer, enzyme_dup, w, d, enzyme_const, in, enzyme_const, 4,
                    enzyme_const, Wide);
  CHECK_SLOPES("layer", 4 * Wide, w, d, layer(w, in, 4, Wide));
  __enzyme_autodiff((void *)largest, enzyme_dup, w, e, enzyme_const, in, enzyme_const, 4,
                    enzyme_const, Wide);
  CHECK_SLOPES_WITHIN(1e-3, "largest", 4 * Wide, w, e, largest(w, in, 4, Wide));
}

static void products(void) {
  double x[12], y[12], d[12] = {0}, e[12] = {0}, c[12] = {0};
  for (int i = 0; i < 12; i++)
    x[i] = 0.4 + 0.1 * i, y[i] = sin(i);
  __enzyme_autodiff((void *)unrolled, enzyme_dup, x, d, enzyme_dup, y, e);
  CHECK_SLOPES("unrolled.x", 12, x, d, unrolled(x, y));
  CHECK_SLOPES("unrolled.y", 12, y, e, unrolled(x, y));
  __enzyme_autodiff((void *)compensated, enzyme_dup, x, c, enzyme_const, 12);
  CHECK_SLOPES("compensated", 12, x, c, compensated(x, 12));
}

int main() {
  branches();
  storedBits();
  layers();
  products();
  return finish();
}
