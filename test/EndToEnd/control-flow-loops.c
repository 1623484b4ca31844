// Loops: every kind of counter and condition, trip counts from data, several exits, nests.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <stdint.h>

enum { N = 6 };

double none(const double *x, int n) {
  double p = x[0];
  for (int i = 0; i < n - 100; i++) // a negative number of times
    p *= x[i];
  for (int i = n; i < n; i++) // not once
    p *= x[i];
  while (n < 0)
    p += x[n++];
  return p * p;
}
double unsignedCounters(const double *x, int n) {
  double p = 1;
  for (unsigned i = n; i-- > 0;) // down to 0
    p = p * 0.7 + x[i];
  for (uint8_t i = 250; i != 3; i++) // wraps around
    p += 0.01 * p * x[(uint8_t)(i + 10) % n];
  for (unsigned i = 0xfffffffdu; i != 2; i++)
    p += 0.1 * x[(i + 3) % n];
  for (int8_t i = -2; i <= 2; i++)
    p *= 1 + 0.1 * x[i + 2];
  for (uint64_t i = UINT64_MAX; i != UINT64_MAX - 4; i--)
    p += 0.05 * x[UINT64_MAX - i] * p;
  return p;
}
double narrowCounters(const double *x, int n) {
  double p = 0.5;
  for (short i = 0; i < n; i = (short)(i + 2))
    p += sin(p * x[i]);
  for (unsigned char i = 0; i < (unsigned char)(n * 2); i += 3)
    p *= 1 + 0.2 * x[i % n];
  for (long long i = (long long)n * 3; i > 0; i -= 5)
    p -= 0.1 * x[i % n];
  return p;
}
double floatCounters(const double *x, int n) {
  double p = 0;
  for (float t = 0; t < n; t += 0.75f)
    p += x[(int)t] * t;
  for (double t = 1; t > 0.05; t *= 0.5)
    p += t * p * x[0];
  return p;
}
/* The trip count depends on what is differentiated: between jumps, a constant. */
double activeCounters(const double *x, int n) {
  double p = 1;
  for (double t = x[0] - 2; t < 2; t += 0.5 + x[1] * x[1])
    p += 0.2 * t * t + p * 0.1;
  double y = 3 + x[2];
  int rounds = 0;
  while (y > 0.5) {
    y *= 0.7 + 0.1 * x[3];
    rounds++;
  }
  return p + y * rounds;
}
double pointers(const double *x, int n) {
  double p = 0.3;
  for (const double *at = x, *end = x + n; at != end; ++at)
    p = p * 0.5 + *at;
  for (const double *at = x + n; at > x;)
    p += *--at * p * 0.1;
  const double *left = x, *right = x + n - 1;
  while (left < right)
    p += *left++ * *right--;
  return p;
}
double tripsFromData(const double *x, int n) {
  static const int lengths[N] = {2, 0, 5, 1, -3, 4};
  double p = 0.5;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < lengths[i]; j++)
      p += 0.2 * x[i] * x[j] * p;
    int steps = (int)(fabs(x[i]) * 5);
    for (int j = 0; j < steps; j++)
      p = p * 0.9 + 0.05 * x[i];
  }
  return p;
}
double doWhiles(const double *x, int n) {
  double p = 1;
  int i = 0;
  do {
    int j = i;
    do {
      p += 0.1 * x[i] * x[j];
      if (p < 0)
        continue;
      p *= 0.95;
    } while (++j < n);
  } while ((i += 2) < n && p < 10);
  return p;
}
double continues(const double *x, int n) {
  double p = 0;
  for (int i = 0; i < 2 * n; i++) {
    if (i % 3 == 0)
      continue;
    if (x[i % n] < 0) {
      p += 0.3 * x[i % n];
      continue;
    }
    p += x[i % n] * x[i % n];
    for (int j = 0; j < 3; j++) {
      if ((i + j) % 2)
        continue;
      p *= 1 + 0.05 * x[j];
    }
  }
  return p;
}
double severalExits(const double *x, int n) {
  double p = 0.5;
  int i = 0;
  for (;; i++) {
    if (i == 3 * n)
      break;
    p += 0.4 * x[i % n];
    if (p > 1.2)
      break;
    p = p * p + 0.1;
    if (p < 0.01)
      return p + x[0];
    if (i > 20)
      abort(); // never: the exit ends in unreachable
  }
  return p * (i + 1);
}
double earlyReturns(const double *x, int n) {
  for (int i = 0; i < n; i++) {
    double p = x[i];
    for (int j = 0; j < n; j++) {
      p += x[j] * 0.4;
      if (p > 1)
        return p * p * (i + 1);
      if (p < -1)
        return sin(p) - j;
    }
  }
  return x[0] * x[n - 1];
}
double converge(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    double a = 2 + x[i], r = a;
    while (fabs(r * r - a) > 1e-14 * a)
      r = 0.5 * (r + a / r);
    s += r;
  }
  return s;
}
double triangular(const double *x, int n) {
  double s = 0;
  for (int a = 0; a < n; a++)
    for (int b = a; b < n; b++)
      for (int c = b; c < n; c++)
        for (int d = c; d < n; d += 2) {
          s += 0.01 * x[a] * x[b] * x[c] * x[d];
          s *= 1 - 0.01 * x[d];
        }
  return s;
}
double depthEight(const double *x, int n) {
  double s = 0.1;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b <= a; b++)
      for (int c = b; c < 3; c++)
        for (int d = 0; d < 2; d++)
          for (int e = d; e < 2; e++)
            for (int f = 0; f <= e + d; f++)
              for (int g = f; g < 3; g++)
                for (int h = g; h > 0; h--)
                  s += 0.01 * sin(s + x[a] * x[b + c - b] + x[d + e] * x[f] - x[g] * x[h]);
  return s;
}
double breaksOfNests(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    int j;
    for (j = 0; j < n; j++) {
      s += 0.1 * x[i] * x[j];
      if (s > 1.4)
        break;
    }
    if (j < n) {
      s *= 0.6;
      continue;
    }
    for (int k = j; k-- > 0;) {
      s -= 0.05 * x[k];
      if (s < 0.6)
        break;
    }
  }
  return s;
}
/* Values from the last iteration, from the one before, and counters used afterwards. */
double leftovers(const double *x, int n) {
  double last = x[0], before = x[1], sum = 0;
  int i, j = 0;
  for (i = 0; i < n && sum < 1.5; i++, j += i) {
    double next = last * 0.6 + before * 0.3 + x[i];
    before = last;
    last = next;
    sum += next * next;
  }
  return last * before + i * sum + 0.1 * j * x[0];
}
/* A loop that does not end, but for one way out that is rarely taken. */
double endless(const double *x, int n) {
  double p = 0.1;
  for (int i = 0;; i = (i + 1) % n) {
    p += 0.3 + 0.2 * x[i];
    if (p > 7)
      return p * p * 0.1;
  }
}
double whileTrueInLoop(const double *x, int n) {
  double p = 0;
  for (int i = 0; i < n; i++) {
    double q = x[i];
    while (1) {
      q = q * 0.5 + 0.2 * p + 1;
      if (q > 1.6 || q < -3)
        break;
    }
    p = 0.3 * p + q;
  }
  return p;
}

#define TEST(F) CHECK_FUNCTION_WITHIN(1e-3, F, N, x, t, n)

int main(void) {
  double x[N], t[N];
  fill(t, N, 3, -1, 1);
  for (int seed = 31; seed < 34; seed++) {
    const int n = seed == 33 ? N - 1 : N;
    fill(x, N, seed, -1, 1);
    TEST(none);
    TEST(unsignedCounters);
    TEST(narrowCounters);
    TEST(floatCounters);
    TEST(activeCounters);
    TEST(pointers);
    TEST(tripsFromData);
    TEST(doWhiles);
    TEST(continues);
    TEST(severalExits);
    TEST(earlyReturns);
    TEST(converge);
    TEST(triangular);
    TEST(depthEight);
    TEST(breaksOfNests);
    TEST(leftovers);
    TEST(endless);
    TEST(whileTrueInLoop);
  }
  return finish();
}
