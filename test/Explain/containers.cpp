// Addresses that a vector keeps have the names that its users know. A call through a pointer that leads to no function
// of the file is told with the names of the source.
// The command starts a compiler of its own, without the runtime that a sanitized plugin needs.
// UNSUPPORTED: sanitizers
// RUN: %isozyme explain %s > %t.txt
// RUN: FileCheck %s --implicit-check-not=_M_ --implicit-check-not=_Z < %t.txt
#include <cmath>
#include <isozyme/isozyme.h>
#include <numeric>
#include <vector>
template <class... A> double __enzyme_autodiff(void *, A...);

double walk(const double *p, int n) {
  double y = p[0];
  std::vector<double> seen(n);
  for (int i = 0; i < n; ++i)
    seen[i] = y = std::sin(y) * p[1];
  return std::accumulate(seen.begin(), seen.end(), 0.0);
}
double last(const std::vector<double> &k, double load) {
  int n = k.size();
  std::vector<double> b(n);
  b[n - 1] = load;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += b[i] * b[i] * k[i];
  return s;
}
double twice(double v) { return 2 * v; }
double (*one)(double) = twice;
namespace chosen {
double call(const double *p, double (*f)(double)) { return f(p[0]); }
}

void gradients(const double *p, double *dp, int n, double (*f)(double)) {
  std::vector<double> vector(p, p + n), shadow(n);
  __enzyme_autodiff((void *)walk, enzyme_dup, p, dp, enzyme_const, n);
  __enzyme_autodiff((void *)last, enzyme_dup, &vector, &shadow, enzyme_out, 1.0);
  __enzyme_autodiff((void *)chosen::call, enzyme_dup, p, dp, enzyme_const, f);
}
// CHECK: reverse of 'walk', by p
// CHECK: std::vector<double> seen(n);
// CHECK: kept: seen.begin(), 8 bytes (result of a call)
// CHECK: loop: seen.size() times, counted by
// CHECK: reverse of 'last', by k and load
// CHECK: b[n - 1] = load;
// CHECK: reverse: load.adj += b.shadow[k.size() - 1]
// CHECK: reverse of 'call', by p
// CHECK: call: f: should the pointer lead to a function that this file takes no address of, the derivative ends
