// The function to differentiate is chosen at run time: by a condition, a switch, from a table of
// the file's or of the function's own, through a function that is inlined.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

typedef double (*Function)(double);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double square(double x) { return x * x; }
double sine(double x) { return sin(x); }
static double power(double x) { return exp(x); }
static const struct {
  const char *name;
  Function f;
} table[] = {{"square", square}, {"sine", sine}, {"power", power}};
static const Function plain[] = {square, sine, power};

static double slope(Function f, double x) { return __enzyme_autodiff((void *)f, x); }

int main(int argc, char **argv) {
  double x = 0.6, expected[] = {2 * x, cos(x), exp(x)};
  Function own[] = {power, sine, square};
  for (int i = 0; i < 3; i++) {
    CHECK_AT("table", i, __enzyme_autodiff((void *)table[i].f, x), expected[i]);
    CHECK_AT("forward", i, __enzyme_fwddiff((void *)plain[i], x, 1.0), expected[i]);
    CHECK_AT("own", i, __enzyme_autodiff((void *)own[i], x), expected[2 - i]);
    CHECK_AT("condition", i, slope(i ? sine : square, x), expected[i ? 1 : 0]);
    void *tape = __enzyme_augmentfwd((void *)plain[i], x);
    CHECK_AT("halves", i, __enzyme_reverse((void *)plain[i], x, 1.0, tape), expected[i]);
  }
  Function f;
  switch (argc + (argv[0] == 0)) {
  case 1:
    f = power;
    break;
  case 2:
    f = square;
    break;
  default:
    f = sine;
  }
  CHECK("switch", __enzyme_autodiff((void *)f, x), expected[2]);
  return finish();
}
