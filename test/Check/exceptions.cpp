// Functions that catch exceptions on their way are checked: what is thrown holds numbers, or none. A run that throws
// and does not catch, or is left inside a handler, leaves nothing behind.
// RUN: %clangxx -O0 -g -mllvm -isozyme-check %s -o %t0
// RUN: %clangxx -O2 -g -mllvm -isozyme-check %s -o %t2
// RUN: not %t0 2>&1 | FileCheck %s
// RUN: not %t2 2>&1 | FileCheck %s
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <isozyme/isozyme.h>
#include <stdexcept>
#include <vector>
template <class... A> double __enzyme_autodiff(void *, A...);
template <class... A> double __enzyme_fwddiff(void *, A...);

struct Negative : std::domain_error {
  double by;
  Negative(double x) : std::domain_error("negative"), by(-x) {}
};
static double __attribute__((noinline)) root(double x) {
  if (x < 0)
    throw Negative(x);
  return std::sqrt(x);
}
static double guarded(double x) {
  try {
    return root(x);
  } catch (const Negative &n) {
    return n.by * x;
  }
}
// Text alone; through a destructor, and thrown once more.
static double total(const std::vector<double> &x) {
  double sum = 0;
  for (double v : x)
    try {
      std::vector<double> powers{1, v, v * v};
      if (v > 2)
        throw std::runtime_error("too large");
      sum += powers.at(2);
    } catch (const std::exception &e) {
      try {
        throw;
      } catch (const std::runtime_error &r) {
        sum += r.what()[0] == 't' ? 4 * v : 0;
      }
    }
  return sum;
}
__attribute__((noinline)) double half(double x) {
  if (x > 3)
    throw 1;
  return x / 2;
}
double halfForward(double x) { return half(x); }
double halfReverse(double, double seed) { return seed; } // Wrong.
extern "C" void *__enzyme_register_gradient_half[] = {(void *)half, (void *)halfForward, (void *)halfReverse};
static double wrong(double x) {
  double y = half(x);
  try {
    return root(-x) * y;
  } catch (const Negative &n) {
    return n.by * y;
  }
}
static double never(double x) {
  try {
    return root(x);
  } catch (const std::out_of_range &) {
    return 0;
  }
}
static double left(double x) {
  try {
    return root(x);
  } catch (const Negative &n) {
    return n.by * rand() / RAND_MAX;
  }
}

int main() {
  // CHECK: 6 2{{$}}
  std::printf("%g %g\n", __enzyme_autodiff((void *)guarded, -3.0), __enzyme_fwddiff((void *)guarded, 0.0625, 1.0));
  std::vector<double> x{1, 3, 1.5}, dx(3);
  __enzyme_autodiff((void *)total, enzyme_dup, &x, &dx);
  // CHECK: 2 4 3{{$}}
  std::printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  // CHECK: exceptions.cpp:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: the gradient of 'wrong(double)' is wrong at argument 1 (x): reverse mode 3, differences 2, forward mode 2
  double w = __enzyme_autodiff((void *)wrong, 2.0);
  try {
    // CHECK: exceptions.cpp:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: not checked: the function does not return normally
    w += __enzyme_autodiff((void *)never, -1.0);
  } catch (const Negative &n) {
    // CHECK: caught 1
    std::printf("caught %g\n", n.by);
  }
  // CHECK: exceptions.cpp:[[#@LINE+1]]:{{[0-9]+}}: isozyme check: not checked: it calls 'rand', whose effects cannot be taken back
  w += __enzyme_autodiff((void *)left, -1.0);
  // CHECK: 0 on their way, none handled
  std::printf("%d on their way, %s handled\n", std::uncaught_exceptions(), std::current_exception() ? "one" : "none");
  // CHECK: 6{{$}}
  std::printf("%g\n", __enzyme_autodiff((void *)guarded, -3.0) + 0 * w);
}
// CHECK: isozyme check: 5 calls checked, 1 wrong, 2 not checked
