// Simulation with a random generator in integers and bits, tables, and special functions.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

static const double nodes[] = {-0.86113631159405, -0.33998104358486, 0.33998104358486,
                               0.86113631159405};
static const double weights[] = {0.34785484513745, 0.65214515486255, 0.65214515486255,
                                 0.34785484513745};
static double scale = 2.0; // read, never written: a constant as far as we know

static double uniform(unsigned long *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return ((*state >> 11) + 0.5) / 9007199254740992.0;
}
double asian(double spot, double volatility, double rate, int paths) {
  unsigned long state = 88172645463325252ul;
  double total = 0;
  for (int p = 0; p < paths; p++) {
    double price = spot, mean = 0;
    for (int day = 0; day < 8; day++) {
      double u = uniform(&state), v = uniform(&state);
      double z = sqrt(-2 * log(u)) * cos(2 * M_PI * v);
      price *= exp((rate - 0.5 * volatility * volatility) / 8 + volatility * sqrt(0.125) * z);
      mean += price / 8;
    }
    total += mean > 100 ? mean - 100 : 0;
  }
  return exp(-rate) * total / paths;
}
double option(double spot, double strike, double volatility, double rate, double years) {
  double s = volatility * sqrt(years);
  double d1 = (log(spot / strike) + (rate + volatility * volatility / 2) * years) / s;
  double above = 0.5 * erfc(-d1 / M_SQRT2), exercised = 0.5 * erfc(-(d1 - s) / M_SQRT2);
  return spot * above - strike * exp(-rate * years) * exercised;
}
double quadrature(double a, double b) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    double x = a + (b - a) * (nodes[i] + 1) / scale;
    sum += weights[i] * (b - a) / scale * exp(-x * x) * tgamma(x + 1);
  }
  return sum;
}

typedef struct {
  double d[3];
} Three;
typedef struct {
  double d[5];
} Five;
typedef struct {
  double a, b;
} Pair;
Three __enzyme_autodiff_three(void *, ...);
Five __enzyme_autodiff_five(void *, ...);
Pair __enzyme_autodiff_pair(void *, ...);

int main(void) {
  double spot = 101, volatility = 0.3, rate = 0.02, h = 1e-5;
  Three g = __enzyme_autodiff_three((void *)asian, spot, volatility, rate, 50);
  double t = __enzyme_fwddiff((void *)asian, spot, 1.0, volatility, 2.0, rate, 3.0, 50);
  CHECK("asian jvp", t, g.d[0] + 2 * g.d[1] + 3 * g.d[2]);
  double along = (asian(spot + h, volatility + 2 * h, rate + 3 * h, 50) -
                  asian(spot - h, volatility - 2 * h, rate - 3 * h, 50)) /
                 (2 * h);
  checkWithin("asian", -1, t, along, 1e-6, 1e-9);

  double strike = 95, years = 1.5;
  Five o = __enzyme_autodiff_five((void *)option, spot, strike, volatility, rate, years);
#define VALUE option(spot, strike, volatility, rate, years)
  CHECK("spot", o.d[0], SLOPE(spot, VALUE));
  CHECK("strike", o.d[1], SLOPE(strike, VALUE));
  CHECK("volatility", o.d[2], SLOPE(volatility, VALUE));
  CHECK("rate", o.d[3], SLOPE(rate, VALUE));
  CHECK("years", o.d[4], SLOPE(years, VALUE));

  double a = 0.2, b = 1.4;
  Pair q = __enzyme_autodiff_pair((void *)quadrature, a, b);
  CHECK("quadrature a", q.a, SLOPE(a, quadrature(a, b)));
  CHECK("quadrature b", q.b, SLOPE(b, quadrature(a, b)));
  return finish();
}
