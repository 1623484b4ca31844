// Of a struct of pointers alone, the member that goes to the second half is the tape, also where an exception may pass
// the calls. Where no such call is in sight, the first member is, and the call gets a warning unless the first one is
// the only one that leaves.
// RUN: %clangxx -O0 -g %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %t | FileCheck %s --check-prefix=RUNS
// RUN: %clangxx -O2 -g %s -o %t 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %t | FileCheck %s --check-prefix=RUNS
#include <cstdio>
#include <isozyme/isozyme.h>
#include <vector>

struct TapeLast {
  double *value, *shadow;
  void *tape;
};
struct TapeFirst {
  void *tape;
  double *value, *shadow;
};
template <class... A> TapeLast __enzyme_augmentfwd_last(void *, A...);
template <class... A> TapeFirst __enzyme_augmentfwd_first(void *, A...);
template <class... A> void __enzyme_reverse(void *, A...);

static double *element(double *p, int i) {
  p[i] *= p[i];
  return p + i;
}
static double atEnd() {
  std::vector<double> x{3, 5}, dx{0, 1}; // To be released if a call throws.
  TapeLast l = __enzyme_augmentfwd_last((void *)element, x.data(), dx.data(), 1);
  bool isThere = l.value == x.data() + 1 && l.shadow == dx.data() + 1;
  x[1] = 100;
  __enzyme_reverse((void *)element, x.data(), dx.data(), 1, l.tape);
  return isThere ? dx[1] : 0;
}

struct Step {
  TapeFirst kept;
  void *tape;
};
__attribute__((noinline)) static void back(void *tape, double *x, double *dx) {
  __enzyme_reverse((void *)element, x, dx, 1, tape);
}
__attribute__((noinline)) static void backAll(const Step &s, double *x, double *dx) {
  back(s.kept.tape, x, dx);
}
static double handedOn() {
  double x[2] = {3, 5}, dx[2] = {0, 1};
  TapeFirst t = __enzyme_augmentfwd_first((void *)element, x, dx, 1);
  x[1] = 100;
  back(t.tape, x, dx);
  return dx[1];
}
static double stored() {
  double x[2] = {3, 5}, dx[2] = {0, 1};
  Step s;
  // CHECK: tape-member.cpp:[[#@LINE+1]]:12: warning: the first member of the struct of pointers that this call returns is taken as the tape, for the call of '__enzyme_reverse' that gets one is out of sight; if another member is the tape, declare it first [IZ117]
  s.kept = __enzyme_augmentfwd_first((void *)element, x, dx, 1);
  x[1] = 100;
  backAll(s, x, dx);
  return dx[1];
}

// RUNS: 10 10 10
int main() { std::printf("%g %g %g\n", atEnd(), handedOn(), stored()); }
