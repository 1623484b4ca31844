// Functions that lock are checked: the runs to compare with do without, even if the caller holds the lock.
// RUN: %clangxx -O0 -g -mllvm -isozyme-check %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -g -mllvm -isozyme-check %s -o %t
// RUN: not %t 2>&1 | FileCheck %s
#include <cmath>
#include <cstdio>
#include <mutex>
#include <pthread.h>
double __enzyme_autodiff(void *, double);

static std::mutex guard;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static double calls;

static double guarded(double x) {
  std::lock_guard<std::mutex> lock(guard);
  calls += 1;
  return std::sqrt(x) * x; // Left in between where x has been moved below zero.
}
static double looked(double x) {
  pthread_rwlock_rdlock(&table);
  double y = std::exp(x);
  pthread_rwlock_unlock(&table);
  return y;
}
double half(double x) { return x / 2; }
double halfForward(double x) { return x / 2; }
double halfReverse(double, double seed) { return seed; } // Wrong.
void *__enzyme_register_gradient_half[] = {(void *)half, (void *)halfForward, (void *)halfReverse};
static double wrong(double x) {
  std::unique_lock<std::mutex> lock(guard);
  return half(x) * x;
}

int main() {
  double root = __enzyme_autodiff((void *)guarded, 4.0);
  double power = __enzyme_autodiff((void *)looked, 0.0);
  // CHECK: locks.cpp:[[@LINE+1]]:{{[0-9]+}}: isozyme check: the gradient of 'wrong(double)' is wrong at argument 1 (x)
  double bad = __enzyme_autodiff((void *)wrong, 3.0);
  bool isFree = guard.try_lock();
  // CHECK: 3 1 free after 1 call{{$}}
  std::printf("%g %g %s after %g call%s\n", root, power, isFree ? "free" : "locked", calls, bad ? "" : "s");
  // CHECK: 3 calls checked, 1 wrong
}
