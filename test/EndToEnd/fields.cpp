// A field is copied in each step, changed from the old values, and assigned back: the copy is memory
// that is made while there is the old one, and memmove moves it to a block that does not overlap. Also
// moved by one place within a block, in both directions.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <algorithm>
#include <vector>

constexpr int Most = 36;

struct Field {
  int width, height;
  std::vector<double> values;
  double &at(int i, int j) { return values[j * width + i]; }
  double at(int i, int j) const { return values[j * width + i]; }
};

static double sumOf(const std::vector<double> &v) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); i++)
    sum += (1 + 0.1 * double(i)) * v[i] * v[i];
  return sum;
}

static double advection(const double *x, int n) {
  int side = 0;
  while ((side + 1) * (side + 1) <= n)
    side++;
  Field u{side, side, std::vector<double>(x, x + side * side)};
  for (int t = 0; t < 3; t++) {
    Field next = u;
    for (int j = 1; j + 1 < u.height; j++)
      for (int i = 1; i + 1 < u.width; i++)
        next.at(i, j) = u.at(i, j) - 0.1 * u.at(i, j) * (u.at(i + 1, j) - u.at(i - 1, j)) -
                        0.2 * (u.at(i, j + 1) - u.at(i, j - 1));
    u = next;
  }
  return sumOf(u.values);
}

// The shadow of a block that is moved within itself is moved back in the other direction.
static double moved(const double *x, int n) {
  std::vector<double> v(x, x + n);
  if (n > 2) {
    std::copy(v.begin() + 1, v.end(), v.begin());
    v[n - 1] *= v[0];
    std::copy_backward(v.begin(), v.end() - 2, v.end());
    v[0] *= v[n / 2];
    v.insert(v.begin() + n / 3, x[1] * x[2]);
    v.erase(v.begin() + n / 2);
  }
  return sumOf(v);
}

int main() {
  double x[Most], t[Most];
  fill(x, Most, 3, -1, 1);
  fill(t, Most, 4, -1, 1);
  for (int n : {0, 1, 4, 9, 12, 16, Most}) {
    CHECK_FUNCTION(advection, Most, x, t, n);
    CHECK_FUNCTION(moved, Most, x, t, n);
  }
  return finish();
}
