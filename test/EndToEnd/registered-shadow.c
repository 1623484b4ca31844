// A global variable whose shadow the program makes: nobody clears it, and the derivative by what the variable held
// before the call is there afterwards.
// RUN: %clang -O0 %s -o %t -lm && %t
// RUN: %clang -O2 %s -o %t -lm && %t
#include <math.h>
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double table[3] = {0.5, -1.25, 2}, dtable[3];
void *__enzyme_register_shadow_table[2] = {table, dtable};

double f(double x) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += table[i] * table[0] * x;
  return s;
}

static int wrong(const char *what, double got, double wanted) {
  if (fabs(got - wanted) < 1e-12)
    return 0;
  printf("%s is %g, should be %g\n", what, got, wanted);
  return 1;
}

int main() {
  const double x = 0.7;
  dtable[1] = 10;
  int bad = wrong("dx", __enzyme_autodiff((void *)f, x), 0.5 * 1.25);
  bad |= wrong("dtable[0]", dtable[0], x * (1.25 + 0.5)) | wrong("dtable[1]", dtable[1], 10 + 0.5 * x);
  dtable[0] = dtable[1] = 0, dtable[2] = 1;
  bad |= wrong("forward", __enzyme_fwddiff((void *)f, x, 0.0), 0.5 * x);
  return bad;
}
