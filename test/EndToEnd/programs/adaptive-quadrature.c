// Adaptive Simpson quadrature by recursion, the integrand a callback with a context, and bisection.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef double Integrand(double x, const void *context);

struct peak {
  double height, centre, width;
};

static double lorentz(double x, const void *context) {
  const struct peak *p = context;
  double u = (x - p->centre) / p->width;
  return p->height / (1 + u * u);
}

static double simpson(double fa, double fm, double fb, double h) {
  return h / 6 * (fa + 4 * fm + fb);
}

static double refine(Integrand *f, const void *context, double a, double b, double fa, double fm,
                     double fb, double whole, double tolerance, int depth) {
  double m = (a + b) / 2, fl = f((a + m) / 2, context), fr = f((m + b) / 2, context);
  double left = simpson(fa, fl, fm, m - a), right = simpson(fm, fr, fb, b - m);
  double error = left + right - whole;
  if (depth <= 0 || fabs(error) <= 15 * tolerance)
    return left + right + error / 15;
  return refine(f, context, a, m, fa, fl, fm, left, tolerance / 2, depth - 1) +
         refine(f, context, m, b, fm, fr, fb, right, tolerance / 2, depth - 1);
}
static double integrate(Integrand *f, const void *context, double a, double b, double tolerance) {
  double fa = f(a, context), fm = f((a + b) / 2, context), fb = f(b, context);
  return refine(f, context, a, b, fa, fm, fb, simpson(fa, fm, fb, b - a), tolerance, 20);
}

double area(const struct peak *p, double a, double b) { return integrate(lorentz, p, a, b, 1e-11); }

/* The point up to which the area is a given part of the whole. */
double quantile(const struct peak *p, double part) {
  double low = -4, high = 4, whole = area(p, low, high);
  for (int i = 0; i < 30; i++) {
    double middle = (low + high) / 2;
    if (area(p, -4, middle) < part * whole)
      low = middle;
    else
      high = middle;
  }
  double x = low; /* one Newton step makes the result depend on the parameters */
  return x - (area(p, -4, x) - part * whole) / lorentz(x, p);
}

static double exact(const struct peak *p, double a, double b) {
  return p->height * p->width *
         (atan((b - p->centre) / p->width) - atan((a - p->centre) / p->width));
}

int main(void) {
  struct peak p = {1.4, 0.3, 0.5}, d = {0, 0, 0}, q = {0, 0, 0}, t = {1, -0.5, 2};
  double a = -1, b = 2, part = 0.7;
  double db = __enzyme_autodiff((void *)area, &p, &d, enzyme_const, a, b);
  CHECK("b", db, lorentz(b, &p));
  CHECK_SLOPES("peak", 3, (double *)&p, (double *)&d, exact(&p, a, b));
  CHECK("area forward", __enzyme_fwddiff((void *)area, &p, &t, a, 0.4, b, -0.8),
        innerProduct((double *)&t, (double *)&d, 3) - 0.4 * lorentz(a, &p) - 0.8 * db);

  double dpart = __enzyme_autodiff((void *)quantile, &p, &q, part);
  double x = quantile(&p, part), whole = exact(&p, -4, 4);
  CHECK("part", dpart, whole / lorentz(x, &p));
  double *parameter = (double *)&p, *dq = (double *)&q;
  for (int i = 0; i < 3; i++) { /* by the implicit function theorem */
    double slope = SLOPE(parameter[i], exact(&p, -4, x) - part * exact(&p, -4, 4));
    checkWithin("quantile", i, dq[i], -slope / lorentz(x, &p), 1e-7, 1e-8);
  }
  CHECK("quantile forward", __enzyme_fwddiff((void *)quantile, &p, &t, part, 0.6),
        innerProduct((double *)&t, dq, 3) + 0.6 * dpart);
  return finish();
}
