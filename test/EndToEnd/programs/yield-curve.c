// Bootstrapping a yield curve from deposits and swaps, an internal rate of return, duration.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef enum { DEPOSIT, SWAP } Instrument;
typedef struct {
  Instrument kind;
  double years, quote;
} Quote;
typedef struct {
  int count;
  double time[16], logDiscount[16];
} Curve;

static double discount(const Curve *c, double t) {
  int i = 1;
  if (t <= 0)
    return 1;
  while (i < c->count - 1 && c->time[i] < t)
    i++;
  double f = (t - c->time[i - 1]) / (c->time[i] - c->time[i - 1]);
  return exp(c->logDiscount[i - 1] + f * (c->logDiscount[i] - c->logDiscount[i - 1]));
}
/* The value of a swap that pays twice a year, for the curve as it is. */
static double swapValue(const Curve *c, const Quote *q) {
  double annuity = 0;
  for (double t = 0.5; t <= q->years + 1e-9; t += 0.5)
    annuity += 0.5 * discount(c, t);
  return q->quote * annuity + discount(c, q->years) - 1;
}
static int bootstrap(const Quote *quotes, int n, Curve *c) {
  c->count = 1;
  c->time[0] = c->logDiscount[0] = 0;
  for (const Quote *q = quotes; q < quotes + n; q++) {
    const int i = c->count++;
    c->time[i] = q->years;
    switch (q->kind) {
    case DEPOSIT:
      c->logDiscount[i] = -log1p(q->quote * q->years);
      break;
    case SWAP: {
      double x = -q->quote * q->years;
      for (int round = 0;; round++) { /* secant steps on the last node */
        if (round == 30)
          return 0;
        double h = 1e-4, f, g;
        c->logDiscount[i] = x + h;
        g = swapValue(c, q);
        c->logDiscount[i] = x;
        f = swapValue(c, q);
        x -= f * h / (g - f);
        c->logDiscount[i] = x;
        if (fabs(f) < 1e-15)
          break;
      }
    }
    }
  }
  return 1;
}
static double rateOfReturn(const double *flow, const double *time, int n, double price) {
  double rate = 0.03;
  for (int i = 0; i < 8; i++) {
    double value = -price, slope = 0;
    for (int k = 0; k < n; k++) {
      double d = pow(1 + rate, -time[k]);
      value += flow[k] * d;
      slope -= flow[k] * time[k] * d / (1 + rate);
    }
    rate -= value / slope;
  }
  return rate;
}

/* The yield of a bond priced on the curve, in percent. */
double bondYield(const Quote *quotes, int n, const double *flow, const double *time, int flows) {
  Curve c;
  double price = 0;
  if (!bootstrap(quotes, n, &c))
    return NAN;
  for (int i = 0; i < flows; i++)
    price += flow[i] * discount(&c, time[i]);
  return 100 * rateOfReturn(flow, time, flows, price);
}

enum { QUOTES = 6, FLOWS = 5 };

int main(void) {
  Quote q[QUOTES] = {{DEPOSIT, 0.25, 0.021}, {DEPOSIT, 0.5, 0.022}, {SWAP, 1, 0.024},
                     {SWAP, 2, 0.026},       {SWAP, 3, 0.0275},     {SWAP, 5, 0.029}};
  Quote d[QUOTES], t[QUOTES];
  double flow[FLOWS] = {3, 3, 3.5, 4, 104}, time[FLOWS] = {0.4, 1.4, 2.4, 3.4, 4.4},
         df[FLOWS] = {0}, tf[FLOWS];
  double inner = 0;
  memset(d, 0, sizeof d);
  fill(tf, FLOWS, 91, -1, 1);
  __enzyme_autodiff((void *)bondYield, q, d, QUOTES, flow, df, enzyme_const, time, FLOWS);
  for (int i = 0; i < QUOTES; i++) {
    t[i] = (Quote){q[i].kind, 0, 0.3 * i - 0.7};
    CHECK_AT("quote", i, d[i].quote,
             SLOPE_WITHIN(1e-3, q[i].quote, bondYield(q, QUOTES, flow, time, FLOWS)));
    inner += t[i].quote * d[i].quote;
  }
  CHECK_SLOPES("flow", FLOWS, flow, df, bondYield(q, QUOTES, flow, time, FLOWS));
  double tangent =
      __enzyme_fwddiff((void *)bondYield, q, t, QUOTES, flow, tf, enzyme_const, time, FLOWS);
  CHECK("forward", tangent, inner + innerProduct(tf, df, FLOWS));
  return finish();
}
