// Atomic additions, their old value used or not, and by +=; atomic loads and stores; counters, locks and
// compare-and-exchange beside the numbers; volatile memory, each access once and in order.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <stdatomic.h>

double sums(const double *x, int n) {
  double s[2] = {0, 1};
  for (int i = 0; i < n; i++)
    __atomic_fetch_add(&s[i % 2], x[i] * x[i], __ATOMIC_RELAXED);
  return s[0] * s[1] * x[0];
}
double oldValues(const double *x, int n) {
  double s = x[1], t = 0;
  for (int i = 0; i < n; i++)
    t += __atomic_fetch_sub(&s, x[i] * x[i], __ATOMIC_SEQ_CST) * x[i];
  return s * t;
}
static __attribute__((noinline)) void add(double *s, double v) {
  __atomic_fetch_add(s, v, __ATOMIC_ACQ_REL);
}
double inCallee(const double *x, int n) {
  double s[2] = {0, 1};
  for (int i = 0; i < n; i++)
    add(&s[i % 2], sin(x[i]));
  return s[0] * s[1];
}
double loadsAndStores(const double *x, int n) {
  _Atomic double s;
  atomic_init(&s, 0);
  for (int i = 0; i < n; i++) {
    double v = atomic_load_explicit(&s, memory_order_acquire);
    atomic_store_explicit(&s, v * v + x[i], memory_order_release);
  }
  return atomic_load(&s);
}

/* Clang makes loops of compare-and-exchange of these. */
double assigned(const double *x, int n) {
  _Atomic double s = x[0];
  double seen = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i];
    seen += s -= x[i];
    s -= x[i] * x[0];
  }
  return s * seen;
}

struct shared {
  double value;
  atomic_int users;
  atomic_flag lock;
};
double counters(const double *x, int n) {
  struct shared s = {0, 1, ATOMIC_FLAG_INIT};
  for (int i = 0; i < n; i++) {
    while (atomic_flag_test_and_set(&s.lock))
      ;
    s.value += x[i] * x[i];
    atomic_fetch_add(&s.users, 2);
    int seen = 1 + 2 * i + 2;
    atomic_compare_exchange_strong(&s.users, &seen, seen);
    atomic_flag_clear(&s.lock);
  }
  return s.value * atomic_load(&s.users);
}

static volatile int reads;
double volatiles(const double *x, int n) {
  volatile double s = 1;
  for (int i = 0; i < n; i++) {
    reads++;
    s = s * x[i] + s;
  }
  return s;
}

#define TEST(F) CHECK_FUNCTION(F, 5, x, t, 5)

int main(void) {
  double x[5], t[5], dx[5] = {0};
  fill(x, 5, 81, -1, 1);
  fill(t, 5, 82, -1, 1);
  TEST(sums);
  TEST(oldValues);
  TEST(inCallee);
  TEST(loadsAndStores);
  TEST(assigned);
  TEST(counters);
  TEST(volatiles);
  reads = 0;
  __enzyme_autodiff((void *)volatiles, x, dx, 5);
  CHECK("volatile accesses of a gradient", reads, 5);
  return finish();
}
