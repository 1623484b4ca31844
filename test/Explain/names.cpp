// What variables and functions are called where several names would do.
// The command starts a compiler of its own, without the runtime that a sanitized plugin needs.
// UNSUPPORTED: sanitizers
// RUN: %isozyme explain %s:eliminate | FileCheck %s --check-prefix=COUNTERS
// RUN: %isozyme explain %s:root | FileCheck %s --check-prefix=PARAMETER
// RUN: %isozyme explain %s:merged | FileCheck %s --check-prefix=MERGED
// RUN: %isozyme explain %s:geo::norm | FileCheck %s --check-prefix=OVERLOADS
// RUN: %isozyme explain '%s:geo::norm<double>' | FileCheck %s --check-prefix=INSTANCE
// RUN: not %isozyme explain %s:geo::nrm 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: %isozyme explain %s:upwards | FileCheck %s --check-prefix=STEPS
// RUN: %isozyme explain %s:smooth | FileCheck %s --check-prefix=NEIGHBOURS
// RUN: %isozyme explain %s:smooth -- -O0 | FileCheck %s --check-prefix=NEIGHBOURS
// RUN: %isozyme explain %s:chain | FileCheck %s --check-prefix=FORGOTTEN
// RUN: %isozyme explain %s:ring | FileCheck %s --check-prefix=MASKS
// RUN: %isozyme explain %s:run -- -std=c++17 2>&1 | FileCheck %s --check-prefix=USERS
#include <cmath>
#include <enzyme/enzyme>

// A function of a header of Isozyme's has the same name, enzyme::detail::run.
// USERS-NOT: error:
// USERS: reverse of 'run', by x
// USERS-NOT: reverse of
double run(double x) { return x * x; }
double askForRun(double x) {
  return enzyme::get<0>(enzyme::get<0>(enzyme::autodiff<enzyme::Reverse>(run, enzyme::Active<double>(x))));
}

// A counter is that of its own loop, also where an inner loop starts from it.
// COUNTERS: int k = 0
// COUNTERS-NEXT: loop: k, n times
// COUNTERS: loop: i, n - k - 1 times
// COUNTERS: loop: j, n - k times
// COUNTERS: A.shadow[k * n + j] -=
double eliminate(double *A, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double f = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++)
        A[i * n + j] -= f * A[k * n + j];
    }
  return A[n * n - 1];
}

// A parameter has its own name, also where variables start with its value.
// PARAMETER: {{^}}  a: active: its derivative is returned
// PARAMETER: reverse: a.adj +=
// PARAMETER: kept: x at the start of each iteration
double root(double a) {
  double x = a, old;
  do {
    old = x;
    x = 0.5 * (x + a / x);
  } while (std::fabs(x - old) > 1e-12);
  return x;
}

// Of two calls the optimiser may make one, which is in no line.
// MERGED-NOT: in line 0
// MERGED: inlined in {{several lines|line [1-9]}}
// MERGED-NOT: in line 0
double merged(double *x, int n) {
  auto f = [&](int i) { return std::sin(x[i]); };
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0)
      s += f(i);
    else
      s -= f(i) * f(i);
  }
  return s;
}

// OVERLOADS-DAG: reverse of 'norm'
// OVERLOADS-DAG: reverse of 'norm<double>'
// INSTANCE-NOT: reverse of 'norm'
// INSTANCE: reverse of 'norm<double>'
// NEAR: no function 'geo::nrm' in {{.*}}; did you mean 'geo::norm'? [IZ119]
namespace geo {
double norm(double a, double b) { return std::sqrt(a * a + b * b); }
template <class T> T norm(const T *v, int n) {
  T s = 0;
  for (int i = 0; i < n; i++)
    s += v[i] * v[i];
  return std::sqrt(s);
}
}
double use(const double *v, int n) { return geo::norm(v, n); }

// A total does not speak of counters: 0 + 2 + ... + 98, of 8 bytes.
// STEPS: loop: i, 50 times
// STEPS: loop: j, i times
// STEPS: exp(x[j] + i) {{.*}} 19600 bytes
double upwards(const double *x) {
  double s = 0;
  for (int i = 0; i < 100; i += 2)
    for (int j = 0; j < i; j++)
      s += std::exp(x[j] + i);
  return s;
}

// A counter that a loop has twice, as it is and one further on, has its name where it begins.
// NEIGHBOURS: loop: i, n - 2 times
// NEIGHBOURS: v[i] =
// NEIGHBOURS: reverse: v[i].adj = v.shadow[i]
// NEIGHBOURS: reverse: u.shadow[i + 1] += v[i].adj
// NEIGHBOURS: reverse: u.shadow[i - 1] += v[i].adj
double smooth(const double *u, double *v, int n) {
  for (int i = 1; i + 1 < n; i++)
    v[i] = u[i - 1] - u[i] + u[i + 1];
  return v[1];
}

// The optimiser has forgotten the counter itself, and knows the next value of it alone.
// FORGOTTEN: loop: i, {{.*}} times
// FORGOTTEN: x.shadow[i + 1] += d.adj
// FORGOTTEN: x.shadow[i] -= d.adj
double chain(const double *x, unsigned long n) {
  double sum = 0;
  for (unsigned long i = 0; i + 1 < n; ++i) {
    double d = x[i + 1] - x[i];
    sum += d * d * std::exp(-d);
  }
  return sum;
}

// What is masked is an index of its own.
// MASKS: table.shadow[i & 7]
// MASKS: table.shadow[(i + 1) & 7]
static double table[8];
double ring(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    table[i & 7] = x[i];
    sum += table[i & 7] * table[(i + 1) & 7];
  }
  return sum;
}
