// A calculator by mutual recursion on a text pointer, with variables that may be assigned.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <ctype.h>

typedef struct {
  const char *at;
  double variables[26];
  int error;
} Calculator;

static double sum(Calculator *c);

static void skip(Calculator *c) {
  while (isspace((unsigned char)*c->at))
    ++c->at;
}
static int accept(Calculator *c, char wanted) {
  skip(c);
  if (*c->at != wanted)
    return 0;
  ++c->at;
  return 1;
}
static double primary(Calculator *c) {
  skip(c);
  if (accept(c, '(')) {
    double v = sum(c);
    if (!accept(c, ')'))
      c->error = 1;
    return v;
  }
  if (accept(c, '-'))
    return -primary(c);
  if (isdigit((unsigned char)*c->at)) {
    char *end;
    double v = strtod(c->at, &end);
    c->at = end;
    return v;
  }
  if (islower((unsigned char)*c->at)) {
    if (strncmp(c->at, "sqrt", 4) == 0) {
      c->at += 4;
      return sqrt(primary(c));
    }
    return c->variables[*c->at++ - 'a'];
  }
  c->error = 2;
  return 0;
}
static double power(Calculator *c) {
  double base = primary(c);
  return accept(c, '^') ? pow(base, power(c)) : base;
}
static double product(Calculator *c) {
  double v = power(c);
  for (;;) {
    if (accept(c, '*'))
      v *= power(c);
    else if (accept(c, '/'))
      v /= power(c);
    else
      return v;
  }
}
static double sum(Calculator *c) {
  double v = product(c);
  for (;;) {
    if (accept(c, '+'))
      v += product(c);
    else if (accept(c, '-'))
      v -= product(c);
    else
      return v;
  }
}

/* Statements are separated by semicolons; the value is that of the last one, NAN after an error. */
double calculate(const char *text, const double *inputs, int n) {
  Calculator c = {text, {0}, 0};
  double v = 0;
  memcpy(c.variables, inputs, n * sizeof *inputs);
  do {
    skip(&c);
    int target = -1;
    if (islower((unsigned char)c.at[0]) && c.at[1] == '=') {
      target = c.at[0] - 'a';
      c.at += 2;
    }
    v = sum(&c);
    if (target >= 0)
      c.variables[target] = v;
  } while (!c.error && accept(&c, ';'));
  return c.error ? NAN : v;
}

static const char *const programs[] = {"a*b + c", "d=a/(b+2); e=d*d - c; sqrt(e*e + 1) * d",
                                       "-(a - 2*b)^2 / 3 + 1.5e1", "(a+b)^(c/2)", "7"};

int main(void) {
  double x[3] = {1.3, 0.8, -0.6}, t[3] = {0.2, -1, 0.7};
  for (int i = 0; i < 5; i++) {
    double d[3] = {0};
    __enzyme_autodiff((void *)calculate, enzyme_const, programs[i], x, d, 3);
    CHECK_SLOPES(programs[i], 3, x, d, calculate(programs[i], x, 3));
    double tangent = __enzyme_fwddiff((void *)calculate, enzyme_const, programs[i], x, t, 3);
    CHECK("forward", tangent, innerProduct(t, d, 3));
  }
  return finish();
}
