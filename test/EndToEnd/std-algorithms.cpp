// The library's algorithms on vectors: elements are moved as blocks of bytes, by unknown distances.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2/-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <algorithm>
#include <numeric>
#include <valarray>
#include <vector>

using List = std::vector<double>;
static double weighted(const List &v) {
  double sum = 0;
  for (size_t i = 0; i < v.size(); i++)
    sum += (i + 1) * v[i] * v[i];
  return sum;
}
static double sorting(const double *in, int n) {
  List a(in, in + n), b(in, in + n), c(in, in + n);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end(), [](double x, double y) { return x > y; });
  std::nth_element(c.begin(), c.begin() + 2, c.end());
  return weighted(a) + 3 * weighted(b) + c[2] * in[0];
}
static double inserting(const double *in, int n) {
  List a(in, in + n);
  a.insert(a.begin() + 1, 3, in[2]);
  a.insert(a.begin() + 2, in[0] * in[1]);
  a.erase(a.begin());
  std::rotate(a.begin(), a.begin() + 2, a.end());
  List b;
  b = a;
  b.insert(b.end(), a.begin(), a.begin() + n);
  std::reverse(b.begin(), b.end());
  return weighted(b);
}
struct Point {
  double x, y;
};
static double points(const double *in, int n) {
  std::vector<Point> v;
  for (int i = 0; i < n; i++)
    v.push_back({in[i], in[i] * in[(i + 1) % n]});
  std::sort(v.begin(), v.end(), [](const Point &a, const Point &b) { return a.y < b.y; });
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * v[i].x * v[i].y;
  return sum;
}
static double sums(const double *in, int n) {
  List a(in, in + n), b(n);
  std::transform(a.begin(), a.end(), b.begin(), [](double v) { return std::sin(v) * v; });
  std::partial_sum(b.begin(), b.end(), b.begin());
  std::valarray<double> v(in, n), w = v * v + 2.0 * std::sin(v);
  w += v.shift(1);
  return std::accumulate(b.begin(), b.end(), 0.0) * std::inner_product(a.begin(), a.end(), b.begin(), 0.0) + w.sum();
}
int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, sorting, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, inserting, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, points, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, sums, 6, x, t, 6);
  return finish();
}
