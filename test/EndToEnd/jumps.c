// Loops made of goto, loops left from the middle, switches inside loops, state machines.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 6 };

double gotos(const double *x, int n) {
  double p = 1;
  int i = 0;
again:
  if (i >= n)
    goto done;
  p = p * x[i] + cos(p);
  i++;
  if (p > 1.2) {
    p -= x[0];
    goto again;
  }
  p += 0.1;
  goto again;
done:
  return p * p;
}
double machine(const double *x, int n) {
  enum { Start, Rising, Falling, Stop } state = Start;
  double level = 0.5, total = 0;
  for (int i = 0; i < n && state != Stop; i++) {
    switch (state) {
    case Start:
      level = x[i];
      state = x[i] > 0 ? Rising : Falling;
      continue;
    case Rising:
      level += x[i] * x[i];
      if (level > 1)
        state = Falling;
      break;
    case Falling:
      level *= 0.5 + x[i];
      if (level < -2)
        state = Stop;
      else
        state = Rising;
      break;
    default:
      return -1;
    }
    total += level * (state + 1);
  }
  return total;
}
double middle(const double *x, int n) {
  double p = 2;
  int i = 0;
  for (;;) {
    p *= 1 + x[i];
    if (++i == n)
      break;
    double q = p;
    for (int j = 0;; j++) {
      q += x[j] / (1 + j);
      if (j == i)
        break;
      q *= 0.7;
    }
    p += q * q * 0.01;
  }
  return p;
}

#define TEST(F) CHECK_FUNCTION(F, N, x, t, N)

int main(void) {
  double x[N], t[N];
  fill(t, N, 3, -1, 1);
  for (int seed = 15; seed < 18; seed++) {
    fill(x, N, seed, -1, 1);
    TEST(gotos);
    TEST(machine);
    TEST(middle);
  }
  return finish();
}
