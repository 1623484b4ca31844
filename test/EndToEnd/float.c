// Single precision, and single mixed with double.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

float smooth(float x, float y) { return sinf(x) * y + expf(-x * y) / (1.0f + y * y); }
float lengths(const float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += sqrtf(x[i] * x[i] + 0.5f) * (i % 2 ? 1.0f : -2.0f);
  return sum;
}
double mixed(const float *x, double s, int n) {
  double sum = 0;
  float running = 1;
  for (int i = 0; i < n; i++) {
    running *= x[i];
    sum += s * running * (double)x[i];
  }
  return sum;
}

typedef struct {
  float x, y;
} Pair;
Pair __enzyme_autodiff_floats(float (*)(float, float), float, float);
float __enzyme_fwddiff_floats(float (*)(float, float), float, float, float, float);
void __enzyme_autodiff_lengths(float (*)(const float *, int), const float *, float *, int);
double __enzyme_autodiff_mixed(double (*)(const float *, double, int), const float *, float *,
                               double, int);

int main(void) {
  float x = 0.7f, y = 1.2f;
  double X = x, Y = y;
  Pair g = __enzyme_autodiff_floats(smooth, x, y);
  CHECK_FLOAT("dx", g.x, SLOPE(X, sin(X) * Y + exp(-X * Y) / (1 + Y * Y)));
  CHECK_FLOAT("dy", g.y, SLOPE(Y, sin(X) * Y + exp(-X * Y) / (1 + Y * Y)));
  CHECK_FLOAT("jvp", __enzyme_fwddiff_floats(smooth, x, 1.0f, y, 2.0f), g.x + 2 * g.y);

  float v[5] = {0.5f, -1.25f, 2, 0.75f, -0.5f}, dv[5] = {0}, dm[5] = {0};
  __enzyme_autodiff_lengths(lengths, v, dv, 5);
  double s = 1.5, ds = __enzyme_autodiff_mixed(mixed, v, dm, s, 5);
  for (int i = 0; i < 5; i++) {
    CHECK_FLOAT("lengths", dv[i], v[i] / sqrt(v[i] * v[i] + 0.5) * (i % 2 ? 1 : -2));
    double expected = 0, running = 1;
    for (int k = 0; k < 5; k++) {
      running *= v[k];
      if (i <= k)
        expected += s * running / v[i] * v[k] * (i == k ? 2 : 1);
    }
    CHECK_FLOAT("mixed", dm[i], expected);
  }
  CHECK_FLOAT("mixed s", ds, SLOPE(s, mixed(v, s, 5)));
  return finish();
}
