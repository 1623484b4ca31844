// What an exception says is asked for where it is caught, of exceptions of the library and of the program's own that
// hold differentiated data: virtual functions, some of which no file has.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3 %s
#include "check.h"
#include <stdexcept>
#include <string>

struct Singular : std::runtime_error {
  double pivot;
  explicit Singular(double pivot) : std::runtime_error("singular"), pivot(pivot) {}
};
static double __attribute__((noinline)) inverse(double x) {
  if (x < 0.1)
    throw std::domain_error("negative");
  if (x < 0.5)
    throw Singular(x * x);
  return 1 / x;
}
static double __attribute__((noinline)) again(double x) {
  try {
    return inverse(x - 0.2);
  } catch (...) {
    if (x < 0.6)
      throw;
    return 5 * x * x;
  }
}
static double texts(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    try {
      sum += again(in[i]);
    } catch (const Singular &error) {
      sum += std::string(error.what()).size() * error.pivot;
    } catch (const std::exception &error) {
      sum += std::string(error.what()).size() * in[i] * in[i];
    }
  return sum;
}

int main() {
  double x[5] = {0.2, 0.5, 0.63, 0.9, 0.28}, t[5];
  fill(t, 5, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, texts, 5, x, t, 5);
  return finish();
}
