// Calls that are noted in a vector of records, as tests of BLAS do: records with flags, letters and enumerations beside
// numbers and addresses.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <vector>

enum class Kind { Scale, Dot };
struct Noted {
  bool done;
  void *handle;
  bool inner;
  Kind kind;
  void *out;
  const void *in, *other;
  double alpha, beta;
  char layout, left, right;
  int rows, columns, depth;
  char side, upper, unit;
  const void *work;
  int extra[4];
};
std::vector<Noted> notes;

__attribute__((noinline)) void scale(int n, double alpha, double *x) {
  notes.push_back(Noted{false, nullptr, true, Kind::Scale, x, nullptr, nullptr, alpha, 0, 0, 0, 0, n});
  for (int i = 0; i < n; ++i)
    x[i] *= alpha;
}
__attribute__((noinline)) double dot(int n, const double *x, const double *y) {
  notes.push_back(Noted{true, nullptr, false, Kind::Dot, nullptr, x, y, 0, 0, 'C', 'N', 'T', n, 1});
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * y[i];
  return sum;
}
double objective(const double *x, int n) {
  double y[6];
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[n - 1 - i];
  scale(n, x[0], y);
  return dot(n, x, y);
}

int main() {
  double x[6], dx[6] = {};
  fill(x, 6, 3, -0.5, 1);
  __enzyme_autodiff<void>((void *)objective, enzyme_dup, x, dx, enzyme_const, 6);
  if (notes.size() != 2 || notes[0].rows != 6 || notes[1].left != 'N')
    CHECK("notes", 0, 1);
  for (int i = 0; i < 6; ++i)
    CHECK_AT("logged calls", i, dx[i], SLOPE(x[i], objective(x, 6)));
  return finish();
}
