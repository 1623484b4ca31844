// A function that looks at the register of the processor that says how floats are rounded, as Boost.Math does before it
// steps to the next float.
// REQUIRES: avx2
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <immintrin.h>

static double least(void) {
  return (_mm_getcsr() & (_MM_FLUSH_ZERO_ON | 0x40)) ? 0x1p-1022 : 0x1p-1074;
}
double nudged(const double *x) {
  double step = x[0] == 0 ? least() : x[0] * 0x1p-20;
  return sin(x[0] + step) * x[1];
}
/* The register is set for a part of the computation only. */
double flushed(const double *x) {
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | _MM_FLUSH_ZERO_ON);
  double y = x[0] * x[0] * x[1];
  _mm_setcsr(before);
  return y * x[1];
}

int main(void) {
  double x[2] = {0.3, -0.62}, t[2] = {0.7, 0.2};
  CHECK_FUNCTION(nudged, 2, x, t);
  CHECK_FUNCTION(flushed, 2, x, t);
  return finish();
}
