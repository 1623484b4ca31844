// Control flow that is no loop of the language: irreducible regions, computed goto, Duff's
// device, switches in loops, jumps out of and into nests.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 6 };

/* A loop with two entries. */
double twoEntries(const double *x, int n) {
  double p = 1 + x[0];
  int i = 0;
  if (x[1] > 0)
    goto middle;
top:
  p = p * x[i] + 0.5;
middle:
  p += sin(p) * x[(i + 1) % n];
  if (++i < n)
    goto top;
  return p * p;
}
/* Two entries, and loops inside both halves. */
double twoEntriesAroundLoops(const double *x, int n) {
  double p = 0.5;
  int i = 0;
  if (x[2] < 0)
    goto second;
first:
  for (int j = 0; j < i; j++)
    p += 0.1 * x[j] * p;
  if (p > 3)
    return p;
second:
  for (int j = n - 1; j > i; j--)
    p *= 1 + 0.2 * x[j];
  if (++i < n)
    goto first;
  return p + x[0];
}
/* Three blocks that jump to each other as the data say. */
double threeWays(const double *x, int n) {
  double p = x[0];
  int i = 0;
  if (p > 0.3)
    goto b;
  if (p > -0.3)
    goto c;
a:
  if (i >= n)
    goto end;
  p = sin(p + x[i++]);
  if (p > 0)
    goto c;
b:
  if (i >= n)
    goto end;
  p = p * x[i++] + 0.7;
  if (p < 0.5)
    goto a;
c:
  if (i >= n)
    goto end;
  p = cos(p) - x[i++];
  if (p > 0.2)
    goto b;
  goto a;
end:
  return p * p + p;
}
/* An irreducible region inside a loop, left in the middle. */
double irreducibleInLoop(const double *x, int n) {
  double p = 1;
  for (int k = 0; k < 3; k++) {
    int i = k;
    if (x[k] > 0)
      goto inside;
    while (i < n) {
      p *= 0.9 + 0.1 * x[i];
    inside:
      p += 0.3 * x[i] * x[k];
      if (p > 5)
        goto out;
      i++;
    }
    p = p * 0.8 + 0.1;
  }
out:
  return exp(p / 4);
}
/* Irreducible regions within irreducible regions. */
double nestedIrreducible(const double *x, int n) {
  double p = 0.4;
  int i = 0, j = 0;
  if (x[0] > 0)
    goto outer;
again:
  p += x[i % n] * 0.3;
  j = 0;
  if (x[i % n] > 0)
    goto inner;
repeat:
  p = p * 0.9 + 0.1 * x[j];
inner:
  p -= 0.05 * p * p;
  if (++j < 3)
    goto repeat;
outer:
  p = sin(p) + 0.2 * x[(i + 2) % n];
  if (++i < n)
    goto again;
  return p * 3;
}
/* A jump into the middle of a loop, as in Duff's device. */
double duff(const double *x, int n) {
  double p = 1;
  const double *at = x;
  int rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      p = p * 0.5 + *at++;
    case 3:
      p = p * 0.6 + *at++;
    case 2:
      p = p * 0.7 + *at++ * p;
    case 1:
      p = p * 0.8 + sin(*at++);
    } while (--rounds > 0);
  }
  return p * p;
}
/* An interpreter with computed goto. */
double interpreter(const double *x, int n) {
  static const unsigned char program[] = {0, 1, 2, 0, 3, 1, 2, 2, 0, 4};
  static void *const labels[] = {&&add, &&multiply, &&sine, &&branch, &&stop};
  const unsigned char *pc = program;
  double acc = 0.3;
  int i = 0, jumps = 0;
  goto *labels[*pc++];
add:
  acc += x[i++ % n];
  goto *labels[*pc++];
multiply:
  acc *= x[i % n] + 1;
  goto *labels[*pc++];
sine:
  acc = sin(acc) + 0.5 * acc;
  goto *labels[*pc++];
branch:
  if (acc < 2 && jumps++ < 3)
    pc = program;
  goto *labels[*pc++];
stop:
  return acc * acc;
}
/* Computed goto by the data, in a loop. */
double computed(const double *x, int n) {
  void *next = &&start;
  double p = 1;
  int i = 0;
  for (;;) {
    goto *next;
  start:
    p = x[0] + 0.5;
    next = x[i] > 0 ? &&up : &&down;
    continue;
  up:
    p = p * 1.1 + x[i] * x[i];
    next = ++i == n ? &&end : x[i] > 0.2 ? &&up : &&down;
    continue;
  down:
    p = p - 0.3 * x[i] * p;
    next = ++i == n ? &&end : x[i] > -0.2 ? &&up : &&down;
    continue;
  end:
    return p;
  }
}
/* A switch in a loop: fall through, continue, break of both, return. */
double switches(const double *x, int n) {
  double p = 0.2;
  for (int i = 0; i < 2 * n; i++) {
    double y = x[i % n];
    switch ((int)(y * 4 + 4)) {
    case 0:
      p += y;
      /* fall through */
    case 1:
      p *= 1 - 0.5 * y;
      break;
    case 2:
      continue;
    case 3:
    case 4: {
      for (int j = 0; j < i; j++) {
        if (j == 3)
          break;
        p += 0.01 * y * p;
      }
      break;
    }
    case 5:
      if (p > 3)
        goto leave;
      p += y * y;
      break;
    case 77:
      return 5;
    default:
      p = sin(p) + y;
    }
    p += 0.1;
  }
leave:
  return p * p;
}
/* A sparse switch with many cases, and one in another. */
double dispatch(const double *x, int n) {
  double p = 1;
  for (int i = 0; i < n; i++)
    switch (i * 37 % 11) {
    case 0:
    case 4:
      p += x[i];
      break;
    case 9:
      switch (i & 1) {
      case 0:
        p -= x[i] * x[i];
        break;
      default:
        p *= x[i];
        continue;
      }
      break;
    case 7:
      p = p / (2 + x[i]);
      break;
    default:
      p += 0.5 * x[i] * p;
    }
  return p;
}
/* Out of four loops at once, and out of the function from the third. */
double manyLevels(const double *x, int n) {
  double p = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = 0; k < 2; k++) {
        if (p > 2.5)
          return p * x[i];
        for (int l = 0; l < 3; l++) {
          p += 0.05 * (x[i] * x[j] + x[k] * (l + 1)) + 0.02;
          if (p < -1.5)
            goto out;
        }
      }
  p += 1;
out:
  return p * p;
}
/* Out of two loops at once, where the inner one's trip count depends on the outer one's turn. */
double twoAtOnce(const double *x, int n) {
  double p = 0.3, q = 0.7 + x[0];
  int fuel = 0;
  for (;;)
    for (int i = 0; i < n - 3; i++) {
      if (++fuel > 15)
        goto done;
      p += 0.2 * x[(fuel + 4) % n] * q;
    }
done:
  return p * q + p;
}
/* A goto back over a loop: a loop around it without the language's help. */
double backwards(const double *x, int n) {
  double p = 1;
  int rounds = 0;
retry:
  for (int i = 0; i < n; i++) {
    p = p * (1 + 0.1 * x[i]) + 0.2;
    if (p > 4 && rounds < 2) {
      p *= 0.3;
      rounds++;
      goto retry;
    }
  }
  if (++rounds < 5 && p < 3)
    goto retry;
  return p;
}

#define TEST(F) CHECK_FUNCTION_WITHIN(1e-3, F, N, x, t, n)

int main(void) {
  double x[N], t[N];
  fill(t, N, 3, -1, 1);
  for (int seed = 21; seed < 25; seed++) {
    const int n = seed == 24 ? N - 1 : N;
    fill(x, N, seed, -1, 1);
    TEST(twoEntries);
    TEST(twoEntriesAroundLoops);
    TEST(threeWays);
    TEST(irreducibleInLoop);
    TEST(nestedIrreducible);
    TEST(duff);
    TEST(interpreter);
    TEST(computed);
    TEST(switches);
    TEST(dispatch);
    TEST(manyLevels);
    TEST(twoAtOnce);
    TEST(backwards);
  }
  return finish();
}
