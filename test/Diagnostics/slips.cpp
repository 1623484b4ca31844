// Slips that C++ makes possible: copies of shadows, markers in namespaces and with values,
// pointers to members. A call by a header is where the user wrote it.
// RUN: not %clangxx -std=c++20 -c -g -O0 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning: --implicit-check-not=note:
// RUN: not %clangxx -std=c++20 -c -g -O2 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning: --implicit-check-not=note:
// RUN: not %clangxx -std=c++17 -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=OLD
#include <isozyme/isozyme.hpp>
#include <tuple>
#include <vector>
// OLD: error: "isozyme.hpp is C++20: compile with -std=c++20 {{.*}}"
// OLD-NOT: isozyme/cxx

namespace my {
extern int enzyme_dup, enzyme_other;
}
template <typename R, typename... A> R __enzyme_autodiff(A...);

double square(double *x) { return *x * *x; }
double norm(const std::vector<double> &x) {
  double sum = 0;
  for (double v : x)
    sum += v * v;
  return sum;
}
struct Scale {
  double factor;
  double by(double x) const { return factor * x; }
};

void markers(double *x, double *dx) {
  // CHECK: slips.cpp:[[@LINE+1]]:3: error: 'my::enzyme_dup' is not a known marker; declare markers outside of namespaces, or include <isozyme/isozyme.h> [IZ106]
  __enzyme_autodiff<void>(square, my::enzyme_dup, x, dx);
}

void copies(std::vector<double> &x, std::vector<double> &dx) {
  // CHECK: slips.cpp:[[@LINE+1]]:3: warning: the shadow of argument 1 ('x') of 'norm(std::vector{{.*}})' is a copy of a 'std::vector<double, {{.*}}>', made for this call: the gradient does not get into the shadow itself; {{.*}} [IZ309]
  __enzyme_autodiff<void>(norm, enzyme_dup, x, dx);
  __enzyme_autodiff<void>(norm, enzyme_dup, &x, &dx);
}

// At -O0, the name of the member tells; when it has been inlined, the size of its memory does.
double elements() {
  std::vector<double> x{1, 2}, dx(2);
  // CHECK: slips.cpp:[[@LINE+1]]:3: warning: the shadow of argument 1 ('x') of 'norm(std::vector{{.*}})' {{is what a 'std::vector<.*>' holds, and the parameter refers to the whole|has 16 bytes, and the parameter refers to 24}} (is the address of the object meant, '&x' instead of 'x.data()'?); pass memory of the same layout {{.*}} [IZ309]
  __enzyme_autodiff<void>(norm, enzyme_dup, x.data(), dx.data());
  return dx[0];
}

double members(Scale &s) {
  double ds = __enzyme_autodiff<double>(&Scale::by, enzyme_const, &s, 2.0); // Is as meant.
  // CHECK: slips.cpp:[[@LINE+1]]:15: error: argument 4 of the call is 'double', but the shadow of argument 1 ('this') of 'Scale::by(double) const' must be a pointer; {{.*}} [IZ109]
  return ds + __enzyme_autodiff<double>(&Scale::by, &s, 2.0);
}

double sensor(double);
double reading(double x) { return x * sensor(x); }
double header(double x) {
  // CHECK: slips.cpp:[[@LINE-2]]:39: error: no derivative is known for 'sensor(double)'
  // CHECK: slips.cpp:[[@LINE-3]]:39: note: argument 1 (x) of this call is argument 1 (x) of 'reading(double)'
  // CHECK: slips.cpp:[[@LINE+1]]:10: note: needed for the derivative that is asked for here
  return isozyme::grad(reading)(x);
}

double mul(double x, double y) { return x * y; }
double tuples(double x, double y) {
  // CHECK: slips.cpp:[[@LINE+1]]:17: error: the call is declared to return a 'std::tuple', whose members lie in memory in the reverse order; {{.*}} [IZ110]
  auto [a, b] = __enzyme_autodiff<std::tuple<double, double>>(mul, x, y);
  auto [c, d] = __enzyme_autodiff<std::pair<double, double>>(mul, x, y);
  return a + b + c + d;
}
