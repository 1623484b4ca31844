// Option prices with their sensitivities in closed form, a portfolio table, implied volatility.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef enum { CALL = 'C', PUT = 'P' } Right;
typedef struct {
  char ticker[6];
  Right right;
  short lots;
  double strike, years;
} Contract;
typedef struct {
  double spot, rate, volatility;
} Market;

static double normal(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

static double price(const Contract *c, const Market *m) {
  const double deviation = m->volatility * sqrt(c->years);
  const double d1 = (log(m->spot / c->strike) + m->rate * c->years) / deviation + deviation / 2;
  const double d2 = d1 - deviation, discounted = c->strike * exp(-m->rate * c->years);
  switch (c->right) {
  case CALL:
    return m->spot * normal(d1) - discounted * normal(d2);
  case PUT:
    return discounted * normal(-d2) - m->spot * normal(-d1);
  }
  return NAN;
}

double portfolio(const Contract *contracts, int count, const Market *m) {
  double value = 0;
  for (const Contract *c = contracts; c < contracts + count; c++)
    value += c->lots * price(c, m);
  return value;
}
/* The volatility at which the contract has this price, by bisection and then Newton steps. */
double implied(const Contract *c, const Market *m, double target) {
  double low = 0.01, high = 2;
  Market trial = *m;
  for (int i = 0; i < 8; i++) {
    trial.volatility = 0.5 * (low + high);
    *(price(c, &trial) > target ? &high : &low) = trial.volatility;
  }
  for (int i = 0; i < 6; i++) {
    double root = sqrt(c->years), v = trial.volatility;
    double d1 = (log(m->spot / c->strike) + (m->rate + v * v / 2) * c->years) / (v * root);
    double vega = m->spot * root * exp(-d1 * d1 / 2) / sqrt(2 * M_PI);
    trial.volatility -= (price(c, &trial) - target) / vega;
  }
  return trial.volatility;
}

static double density(double x) { return exp(-x * x / 2) / sqrt(2 * M_PI); }

int main(void) {
  static const Contract book[] = {{"ABC", CALL, 10, 100, 0.5},
                                  {"ABC", PUT, -4, 90, 1.25},
                                  {"ABC", PUT, 7, 120, 0.1},
                                  {"ABC", CALL, -3, 110, 2}};
  enum { COUNT = sizeof book / sizeof book[0] };
  Market m = {104, 0.03, 0.25}, d = {0, 0, 0}, t = {1.5, -0.01, 0.2}, dc = {0, 0, 0};
  __enzyme_autodiff((void *)portfolio, enzyme_const, book, COUNT, &m, &d);
  CHECK_SLOPES_WITHIN(1e-3, "market", 3, (double *)&m, (double *)&d, portfolio(book, COUNT, &m));
  CHECK_FORWARD("portfolio", __enzyme_fwddiff((void *)portfolio, enzyme_const, book, COUNT, &m, &t),
                3, (double *)&t, (double *)&d);

  __enzyme_autodiff((void *)portfolio, enzyme_const, book, 1, &m, &dc);
  const double d1 = (log(m.spot / 100) + (m.rate + m.volatility * m.volatility / 2) * 0.5) /
                    (m.volatility * sqrt(0.5));
  CHECK("delta", dc.spot, 10 * normal(d1));
  CHECK("vega", dc.volatility, 10 * m.spot * sqrt(0.5) * density(d1));

  Market other = {0, 0, 0};
  double target = price(&book[0], &m);
  double slope = __enzyme_autodiff((void *)implied, enzyme_const, &book[0], &m, &other, target);
  CHECK("implied", slope, 10 / dc.volatility);
  CHECK("implied spot", other.spot, -dc.spot / dc.volatility);
  return finish();
}
