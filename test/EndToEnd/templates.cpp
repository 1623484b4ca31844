// C++: std::array, templates, lambdas, algorithms, references, operators.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <algorithm>
#include <array>
#include <numeric>

using Vector = std::array<double, 5>;

template <std::size_t N> double norm(const std::array<double, N> &v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}
template <typename F> double integrate(F f, double lo, double hi, int n) {
  double sum = 0, h = (hi - lo) / n;
  for (int i = 0; i < n; ++i)
    sum += f(lo + (i + 0.5) * h) * h;
  return sum;
}

double algorithms(const double *in) {
  Vector v{}, w;
  std::copy(in, in + v.size(), v.begin());
  std::transform(v.begin(), v.end(), w.begin(), [&](double x) { return x * x + v[0]; });
  std::partial_sum(w.begin(), w.end(), w.begin());
  std::swap(v[0], w[3]);
  double largest = *std::max_element(w.begin(), w.end());
  return norm(v) * norm(w) + std::accumulate(w.begin(), w.end(), largest);
}
double integral(double a, double b) {
  auto f = [a](double x) { return std::exp(-a * x) * std::sin(x); };
  return integrate(f, 0, b, 20) + integrate([&](double x) { return b * x * x; }, a, b, 3);
}

struct Complex {
  double re, im;
  Complex operator*(const Complex &o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  Complex operator+(const Complex &o) const { return {re + o.re, im + o.im}; }
};
double mandelbrot(double re, double im) {
  Complex c{re, im}, z{0, 0};
  for (int i = 0; i < 12 && z.re * z.re + z.im * z.im < 4; ++i)
    z = z * z + c;
  return z.re * z.re + z.im * z.im;
}

class Spring {
public:
  Spring(double stiffness, double &where) : stiffness(stiffness), where(where) {}
  void pull(double force) { where += force / stiffness; }
  double energy() const { return 0.5 * stiffness * where * where; }

private:
  double stiffness;
  double &where;
};
double springs(double k, double force) {
  double where = 0.1;
  Spring spring(k, where);
  for (double f : {1.0, 0.5, 0.25})
    spring.pull(f * force);
  return spring.energy();
}

struct Pair {
  double a, b;
};

#define TEST(F, A, B)                                                                              \
  do {                                                                                             \
    double a = A, b = B;                                                                           \
    Pair g = __enzyme_autodiff<Pair>((void *)F, a, b);                                             \
    CHECK(#F " a", g.a, SLOPE(a, F(a, b)));                                                        \
    CHECK(#F " b", g.b, SLOPE(b, F(a, b)));                                                        \
    CHECK(#F " jvp", __enzyme_fwddiff<double>((void *)F, a, 2.0, b, -1.0), 2 * g.a - g.b);         \
  } while (0)

int main() {
  double x[5], dx[5] = {}, t[5];
  fill(x, 5, 3, -1, 1);
  fill(t, 5, 4, -1, 1);
  __enzyme_autodiff<void>((void *)algorithms, enzyme_dup, x, dx);
  for (int i = 0; i < 5; ++i)
    CHECK_AT("algorithms", i, dx[i], SLOPE(x[i], algorithms(x)));
  CHECK("algorithms jvp", __enzyme_fwddiff<double>((void *)algorithms, enzyme_dup, x, t),
        innerProduct(t, dx, 5));
  TEST(integral, 0.4, 1.3);
  TEST(mandelbrot, -0.3, 0.45);
  TEST(mandelbrot, 0.5, 0.6);
  TEST(springs, 2.5, 0.8);
  return finish();
}
