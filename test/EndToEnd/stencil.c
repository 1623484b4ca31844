// A diffusion stencil with local arrays: ping-pong buffers by copy and by pointer exchange.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"

enum { N = 24 };

double byCopy(const double *start, double rate, int steps) {
  double now[N], next[N];
  for (int i = 0; i < N; i++)
    now[i] = start[i];
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < N; i++) {
      double left = now[i ? i - 1 : N - 1], right = now[i + 1 < N ? i + 1 : 0];
      next[i] = now[i] + rate * (left - 2 * now[i] + right) - 0.01 * now[i] * now[i] * now[i];
    }
    for (int i = 0; i < N; i++)
      now[i] = next[i];
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += (i + 1) * now[i] * now[i];
  return sum;
}
double byExchange(const double *start, double rate, int steps) {
  double first[N], second[N], *now = first, *next = second;
  memcpy(now, start, sizeof first);
  for (int s = 0; s < steps; s++) {
    next[0] = now[0];
    next[N - 1] = now[N - 1] * now[N - 1];
    for (int i = 1; i < N - 1; i++)
      next[i] = now[i] + rate * (now[i - 1] * now[i + 1] - now[i]);
    double *swap = now;
    now = next;
    next = swap;
  }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += now[i] * now[N - 1 - i];
  return sum;
}
double parity(const double *start, double rate, int steps) {
  double state[2][N];
  for (int i = 0; i < N; i++)
    state[0][i] = start[i];
  for (int s = 0; s < steps; s++)
    for (int i = 0; i < N; i++)
      state[(s + 1) % 2][i] = state[s % 2][i] + rate * sin(state[s % 2][(i + 1) % N]);
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += state[steps % 2][i] * state[steps % 2][i];
  return sum;
}

#define TEST(F, STEPS)                                                                             \
  do {                                                                                             \
    double dx[N] = {0};                                                                            \
    double dr = __enzyme_autodiff((void *)F, x, dx, rate, STEPS);                                  \
    CHECK(#F " rate", dr, SLOPE(rate, F(x, rate, STEPS)));                                         \
    for (int i = 0; i < N; i++)                                                                    \
      CHECK_AT(#F, i, dx[i], SLOPE(x[i], F(x, rate, STEPS)));                                      \
    CHECK(#F " jvp", __enzyme_fwddiff((void *)F, x, t, rate, 0.5, STEPS),                          \
          innerProduct(t, dx, N) + 0.5 * dr);                                                      \
  } while (0)

int main(void) {
  double x[N], t[N], rate = 0.2;
  fill(x, N, 9, 0, 1);
  fill(t, N, 8, -1, 1);
  TEST(byCopy, 10);
  TEST(byCopy, 0);
  TEST(byExchange, 7);
  TEST(byExchange, 8);
  TEST(parity, 5);
  return finish();
}
