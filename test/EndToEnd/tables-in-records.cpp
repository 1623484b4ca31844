// A stepper that is copied by value: tables of coefficients among the vectors of its stages, as a
// library of integrators keeps them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <array>
#include <vector>

typedef std::vector<double> State;

template <int N> struct Row {
  double c;
  std::array<double, N> a;
};
struct Tables {
  Row<1> first;
  Row<2> second;
  Row<3> third;
};
struct Stepper {
  bool sized = false;
  State scratch;
  Tables tables;
  std::array<State, 3> slopes;
  Stepper(const double *in)
      : tables{{0.5, {in[4]}}, {0.5, {0.0, in[5]}}, {1.0, {0.0, 0.0, in[4] * in[5]}}} {}
  template <typename F> void step(F f, State &x, double h) {
    if (!sized) {
      for (State &s : slopes)
        s.resize(x.size());
      scratch.resize(x.size());
      sized = true;
    }
    f(x, slopes[0]);
    for (size_t i = 0; i < x.size(); i++)
      scratch[i] = x[i] + h * tables.first.a[0] * slopes[0][i];
    f(scratch, slopes[1]);
    for (size_t i = 0; i < x.size(); i++)
      scratch[i] = x[i] + h * tables.second.a[1] * slopes[1][i];
    f(scratch, slopes[2]);
    for (size_t i = 0; i < x.size(); i++)
      x[i] += h * (tables.first.c * slopes[0][i] + tables.third.a[2] * slopes[2][i]);
  }
};
template <typename F> __attribute__((noinline)) static void integrate(Stepper s, F f, State &x) {
  for (int k = 0; k < 5; k++)
    s.step(f, x, 0.1);
}
static double f(const double *in, int n) {
  State x{in[0], in[1]};
  double a = in[2], b = in[3];
  Stepper s(in);
  integrate(s, [=](const State &x, State &d) { d[0] = x[1]; d[1] = -a * x[0] - b * x[1]; }, x);
  return x[0] * x[0] + x[1];
}
int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION(f, 6, x, t, 6);
  return finish();
}
