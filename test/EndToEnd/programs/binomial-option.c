// An American option on a binomial tree: one array, induced backwards in place, early exercise.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

#define MAX_STEPS 64

typedef struct {
  double spot, strike, rate, dividend, volatility, years;
} Terms;
typedef enum { EUROPEAN, AMERICAN } Style;

static double payoff(const Terms *t, double spot) { return fmax(t->strike - spot, 0); }

/* Returns the value of a put; the exercise boundary of each step goes to boundary. */
double put(const Terms *t, Style style, int steps, double boundary[]) {
  double value[MAX_STEPS + 1];
  if (steps < 1 || steps > MAX_STEPS)
    return NAN;
  const double dt = t->years / steps, up = exp(t->volatility * sqrt(dt)), down = 1 / up;
  const double p = (exp((t->rate - t->dividend) * dt) - down) / (up - down), d = exp(-t->rate * dt);
  double low = t->spot * pow(down, steps), spot = low;
  for (int i = 0; i <= steps; i++, spot *= up * up)
    value[i] = payoff(t, spot);
  for (int n = steps - 1; n >= 0; n--) {
    low *= up;
    spot = low;
    boundary[n] = 0;
    for (int i = 0; i <= n; i++, spot *= up * up) {
      double hold = d * (p * value[i + 1] + (1 - p) * value[i]);
      value[i] = hold;
      if (style == AMERICAN && payoff(t, spot) > hold) {
        value[i] = payoff(t, spot);
        boundary[n] = spot;
      }
    }
  }
  return value[0];
}

enum { STEPS = 24 };

static double weighted(const Terms *t, Style style, const double *w) {
  double boundary[STEPS], v = put(t, style, STEPS, boundary);
  return v + innerProduct(w, boundary, STEPS);
}

int main(void) {
  Terms t = {101.3, 103, 0.05, 0.01, 0.3, 0.8}, tt = {1, 0.5, 0.02, -0.01, 0.1, 0.3};
  double w[STEPS], boundary[STEPS], tb[STEPS];
  fill(w, STEPS, 92, -0.1, 0.1);
  for (int style = EUROPEAN; style <= AMERICAN; style++) {
    Terms d = {0, 0, 0, 0, 0, 0};
    double dw[STEPS];
    memcpy(dw, w, sizeof w);
    __enzyme_autodiff((void *)put, &t, &d, (Style)style, STEPS, boundary, dw);
    CHECK_SLOPES_WITHIN(1e-4, "term", 6, (double *)&t, (double *)&d, weighted(&t, (Style)style, w));
    memset(tb, 0, sizeof tb);
    double tangent = __enzyme_fwddiff((void *)put, &t, &tt, (Style)style, STEPS, boundary, tb);
    CHECK("forward", tangent + innerProduct(w, tb, STEPS),
          innerProduct((double *)&tt, (double *)&d, 6));
    /* Twice the prices is twice the value (Euler's theorem). */
    CHECK("homogeneous", t.spot * d.spot + t.strike * d.strike, weighted(&t, (Style)style, w));
  }
  return finish();
}
