// Functions with a variable number of arguments that compute with them: one kind or several, as a text says; lists that
// are handed on and copied; structures; a function that calls itself so.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0,-O2/-O1,-O3,-Os --keep plan %s
#include "check.h"
#include <stdarg.h>

typedef struct {
  double weight;
  long power;
} Term;

static double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  for (int i = 0; i < n; i++) {
    double x = va_arg(list, double);
    s += x * x * (i + 1);
  }
  va_end(list);
  return s;
}

static double horner(double x, int n, va_list list) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s = s * x + va_arg(list, double);
  return s;
}

__attribute__((noinline)) static double polynomial(double x, int n, ...) {
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  double s = horner(x, n, list);
  s *= 1 + horner(s, n, again);
  va_end(list);
  va_end(again);
  return s;
}

static double told(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  double s = 0;
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'd':
      s += va_arg(list, double);
      break;
    case 'i':
      s *= va_arg(list, int);
      break;
    case 'p':
      s += sin(*va_arg(list, const double *));
    }
  va_end(list);
  return s;
}

static double terms(double x, int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  while (n--) {
    Term t = va_arg(list, Term);
    s += t.weight * pow(x, t.power);
  }
  va_end(list);
  return s;
}

static double product(int depth, ...) {
  va_list list;
  va_start(list, depth);
  double a = va_arg(list, double), b = va_arg(list, double);
  va_end(list);
  return depth ? product(depth - 1, b * 0.5, a + b) * a : a * b;
}

static double all(const double *x, int n) {
  Term t = {x[0] * x[1], 3}, u = {x[2], n};
  return sum(3, x[0], x[1], x[2]) + sum(5, x[1], x[0], x[2], x[3], 1.0) + sum(0) +
         polynomial(x[3], 4, x[0], x[1], 2.0, x[4]) + told("didp", x[0], 3, x[1] * x[2], x + 3) +
         told("dpi", x[4], x + 5, n) + terms(x[4], 2, t, u) + product(3, x[0], x[5]);
}

int main(void) {
  double x[6], t[6];
  fill(x, 6, 3, 0.5, 1.5);
  fill(t, 6, 4, -1, 1);
  CHECK_FUNCTION(all, 6, x, t, 6);
  return finish();
}
