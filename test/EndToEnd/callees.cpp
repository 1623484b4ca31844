// Functions that the optimiser leaves as calls, for they are large, in loops and around loops.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <cmath>
#include <vector>

enum { N = 6 };

struct Model {
  int cells;
  double weights[N];

  // Two calls in a loop, which add to an array of the caller's.
  static double side(const double *u, int axis, double *flux) {
    double terms[4];
    for (int k = 0; k < 4; k++)
      terms[k] = std::sin(u[k] * (k + axis + 1));
    const double over = 1 / (2 + u[0]), across = u[1 + axis] * over;
    const double energy = std::exp(-terms[0]) + std::exp(-terms[1]) * std::cos(u[2]);
    flux[0] = u[1 + axis] + std::log(2 + terms[2] * terms[3]);
    flux[1] = u[1] * across + std::tan(energy * 0.1);
    if (across < 0)
      return std::exp(across) + std::sinh(over);
    return std::sqrt(2 + energy) + std::cosh(over) * std::atan(across);
  }
  static void face(const double *from, const double *to, int axis, double *out, double *back) {
    double a[2], b[2];
    const double fastA = side(from, axis, a), fastB = side(to, axis, b);
    const double fastest = fastA < fastB ? fastB : fastA;
    for (int f = 0; f < 2; f++) {
      const double flux = 0.5 * (a[f] + b[f]) - 0.5 * fastest * (to[f] - from[f]);
      out[f] += flux;
      back[f] -= flux;
    }
  }
  double fluxes(const double *x) const {
    std::vector<double> residual(cells + 2, 0.0);
    for (int c = 0; c + 1 < cells; c++) {
      face(x, x + c % 3, 0, &residual[c], &residual[c + 1]);
      face(x + c % 2, x + 1, 1, &residual[c + 1], &residual[c]);
    }
    double sum = 0;
    for (int c = 0; c < cells; c++)
      sum += weights[c % N] * residual[c];
    return sum;
  }

  // What the function reads is overwritten by its caller, and by itself.
  static double relax(double *u, int n, int step) {
    static int calls;
    calls++;
    double before = u[n - 1], sum = 0;
    for (int i = 0; i < n; i++) {
      const double old = u[i];
      u[i] = std::sin(before) * std::exp(-old) + std::cos(old * step) + std::tanh(before * old);
      before = old + std::atan(u[i]) * std::log(3 + old * old);
      sum += std::sqrt(1 + before * before) + std::sinh(u[i] * 0.1) + std::cosh(old * 0.1);
    }
    if (sum > 1e6 || std::isnan(sum))
      return std::exp(-sum) + calls;
    return std::log(sum) + std::tan(sum * 0.001) + std::exp(-sum);
  }
  double steps(const double *x) const {
    double u[N], total = 0;
    for (int i = 0; i < N; i++)
      u[i] = x[i];
    for (int step = 0; step < cells; step++) {
      total += relax(u, N, step) * relax(u + 1, N - 2, step + 1);
      u[step % N] *= u[(step + 1) % N];
    }
    return total;
  }

  // One calls the other and is called by it.
  static double down(const double *x, int n, double y) {
    if (n <= 0)
      return std::sin(y) + std::exp(-y) + std::cos(x[0] * y) + std::log(2 + y * y) + std::atan(y);
    double sum = 0;
    for (int i = 0; i < 2; i++)
      sum += up(x, n - 1 - i, std::tanh(y + x[n % N]) + std::sinh(x[i] * 0.1) + std::cos(y));
    return std::tanh(sum) + std::sqrt(1 + sum * sum) * 0.01;
  }
  static double up(const double *x, int n, double y) {
    double sum = std::exp(-y * y) + std::log(2 + y * y) + std::cosh(y * 0.1) + std::tan(y * 0.1);
    for (int i = 0; i < 2; i++)
      sum += x[i] * down(x, n - 1 - i, std::sin(sum)) + std::atan(sum);
    return std::tanh(sum);
  }
  double recursive(const double *x) const {
    double sum = 0;
    for (int c = 0; c < cells; c++)
      sum += down(x, c, x[c % N]) * up(x, c, sum * 0.1);
    return sum;
  }

  // A block of each call, and an array whose length each call chooses.
  static double blocks(const double *x, int n) {
    std::vector<double> a(n + 1);
    double b[n + 1], sum = 0;
    for (int i = 0; i <= n; i++) {
      a[i] = std::sin(x[i % N]) * std::exp(x[(i + 1) % N]) + (i ? a[i - 1] : 0) + std::tanh(x[0]);
      b[i] = std::cos(a[i]) + std::log(2 + a[i] * a[i]) + std::atan(x[n % N]) + std::sinh(x[1]);
    }
    for (int i = 0; i <= n; i++)
      sum += a[n - i] * b[i] + std::sqrt(1 + b[n - i] * b[n - i]) + std::tan(b[i] * 0.01);
    return sum;
  }
  double allocating(const double *x) const {
    double sum = 0;
    for (int c = 0; c < cells; c++)
      sum += blocks(x, c) * weights[c % N];
    return sum;
  }
};

template <double (Model::*F)(const double *) const> double call(const double *x, const Model *m) {
  return (m->*F)(x);
}

template <double (Model::*F)(const double *) const> void test(const char *name, const Model &m) {
  double x[N] = {0.3, 0.9, 0.4, 0.7, 0.55, 0.2}, dx[N] = {};
  __enzyme_autodiff<void>((void *)call<F>, enzyme_dup, x, dx, enzyme_const, &m);
  for (int i = 0; i < N; i++)
    CHECK_AT(name, i, dx[i], SLOPE_WITHIN(1e-3, x[i], call<F>(x, &m)));
}

int main() {
  for (int cells = 0; cells < 5; cells++) {
    const Model m = {cells, {0.5, -1, 2, 0.25, 1, -0.75}};
    test<&Model::fluxes>("fluxes", m);
    test<&Model::steps>("steps", m);
    test<&Model::recursive>("recursive", m);
    test<&Model::allocating>("allocating", m);
  }
  return finish();
}
