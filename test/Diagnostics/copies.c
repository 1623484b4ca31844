// A call that the optimiser has copied, in unrolled loops and where it is inlined, is one call for
// its user: what is wrong with it is said once. Two calls with the same mistake are two.
// RUN: not %clang -c -g -O2 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %clang -c -g -O0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %clang -c -g -O2 %s -o /dev/null 2>&1 | grep -c '\[IZ' | grep -x 6
double __enzyme_autodif(void *, ...);
double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
double unknown(double);
double bad(double x) { return unknown(x); }

static inline double slope(double x) {
  // CHECK-DAG: copies.c:[[@LINE+1]]:10: error: 'square' takes 1 argument, but argument 3 of the call belongs to none of them; {{.*}} [IZ105]
  return __enzyme_autodiff(square, x, 2.0);
}

double calls(double x) {
  double sum = slope(1) + slope(x) + slope(2 * x);
  for (int i = 0; i < 4; i++) {
    // CHECK-DAG: copies.c:[[@LINE+1]]:12: error: 'square' takes 1 argument, but argument 3 of the call belongs to none of them; {{.*}} [IZ105]
    sum += __enzyme_autodiff(square, x + i, 2.0);
    // CHECK-DAG: copies.c:[[@LINE+1]]:12: error: '__enzyme_autodif' is not a known entry point; {{.*}} [IZ114]
    sum += __enzyme_autodif(square, x + i);
    // CHECK-DAG: copies.c:[[@LINE+1]]:5: warning: the call returns the gradient, and nothing uses it; {{.*}} [IZ305]
    __enzyme_autodiff(square, x + i);
  }
  // CHECK-DAG: copies.c:[[@LINE+2]]:10: note: needed for the derivative that is asked for here
  // CHECK-DAG: copies.c:10:31: error: no derivative is known for 'unknown', {{.*}} [IZ201]
  sum += __enzyme_autodiff(bad, x);
  // CHECK-DAG: copies.c:[[@LINE+2]]:10: note: needed for the derivative that is asked for here
  // CHECK-DAG: copies.c:10:31: error: no derivative is known for 'unknown', {{.*}} [IZ201]
  sum += __enzyme_autodiff(bad, 2 * x);
  return sum;
}
