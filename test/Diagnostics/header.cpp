// What the C++ headers say about arguments that have no derivative.
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=1 %s 2>&1 | FileCheck %s --check-prefix=OWNER --implicit-check-not=error:
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=2 %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=3 %s 2>&1 | FileCheck %s --check-prefix=DIRECTIONS
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=4 %s 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=5 %s 2>&1 | FileCheck %s --check-prefix=FORWARD
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=6 %s 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=7 %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=8 %s 2>&1 | FileCheck %s --check-prefix=PARTIALS
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=9 %s 2>&1 | FileCheck %s --check-prefix=AUGMENTED
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=10 %s 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=11 %s 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=12 %s 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=13 %s 2>&1 | FileCheck %s --check-prefix=MORE --implicit-check-not=error:
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=15 %s 2>&1 | FileCheck %s --check-prefix=RESULT --implicit-check-not=error:
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=16 %s 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=error:
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=17 %s 2>&1 | FileCheck %s --check-prefix=COMPLEX --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %clangxx -std=c++20 -fsyntax-only -DCASE=18 %s 2>&1 | FileCheck %s --check-prefix=OTHER --implicit-check-not=detail
// RUN: not %clangxx -std=c++17 -fsyntax-only -DCASE=14 %s 2>&1 | FileCheck %s --check-prefix=OLD --implicit-check-not=error:
#include <complex>
#include <cstdio>
#include <enzyme/enzyme>
#include <isozyme/isozyme.hpp>
#include <memory>

double square(double);
double owner(const std::unique_ptr<double> &);
double count(int);
double sum(const double *, int);
double power(double, int);
using list_t = std::vector<double>;
list_t list(const list_t &);
struct point {
  double x, y;
};

using complex_t = std::complex<double>;
double magnitude(complex_t, double);
double first(const std::vector<complex_t> &);
complex_t turned(double);
std::complex<float> turnedInSingle(double);

void test(double *p) {
#if CASE == 18
  // Names of the headers' own are not offered for what people try.
  // OTHER: error: no member named 'derivative' in namespace 'isozyme'
  *p = isozyme::derivative(square)(1.0);
  // OTHER: error: no member named 'gradient' in namespace 'isozyme'
  *p = isozyme::gradient(square)(1.0);
#elif CASE == 17
  // One sentence for each, whatever is done with the result.
  // COMPLEX: error: {{.*}}there is no derivative by std::complex: pass real and imaginary parts
  auto [dz, ds] = isozyme::grad(magnitude)(complex_t(1, 2), 3.0);
  *p = dz.real() + ds + std::abs(dz);
  // COMPLEX: error: {{.*}}there is no derivative by std::complex
  auto d = isozyme::grad(first)(std::vector<complex_t>{1, 2});
  *p = d[0].imag();
  // COMPLEX: error: {{.*}}there is no derivative of std::complex: let the function return real and imaginary part
  auto [z, back] = isozyme::vjp(turned)(2.0);
  *p = z.real() + back(complex_t(1, 0));
  // COMPLEX: error: {{.*}}there is no derivative of std::complex
  auto [y, dy] = isozyme::jvp(turnedInSingle, isozyme::at(2.0), isozyme::along(1.0));
  std::printf("%g %g", y.real(), dy.real());
#elif CASE == 16
  // ALONE: error: {{.*}}the function goes in alone, {{.*}} as in grad(f)(x)
  double d = isozyme::grad(square, 1.0);
  // ALONE: error: {{.*}}the function goes in alone
  auto [value, slope] = isozyme::value_and_grad(square, 1.0);
  // ALONE: error: {{.*}}the function goes in alone
  auto J = isozyme::jacobian(list, list_t{1, 2});
  // ALONE: error: {{.*}}the function goes in alone
  auto H = isozyme::hessian([](const list_t &x) { return x[0]; }, list_t{1, 2});
  // ALONE: error: {{.*}}the function goes in alone
  auto Hv = isozyme::hvp([](const list_t &x) { return x[1]; }, list_t{1, 2}, list_t{1, 2});
  // ALONE: error: {{.*}}the function goes in alone
  auto [y, pullback] = isozyme::vjp(list, list_t{1, 2});
#elif CASE == 1
  // One sentence for each.
  // OWNER: error: {{.*}}the type of an argument has no derivative here: pass numbers, std::vector, {{.*}}
  auto g = isozyme::grad(owner)(std::make_unique<double>(1));
  // OWNER: error: {{.*}}the type of an argument has no derivative here
  auto [value, gradient] = isozyme::value_and_grad(owner)(std::make_shared<double>(1));
  // OWNER: error: {{.*}}the type of an argument has no derivative here
  auto [y, pullback] = isozyme::vjp(owner)((void *)0);
  // OWNER: error: {{.*}}put the variables in one list, such as std::vector{x, y}
  auto H = isozyme::hessian(power)(1.0, 2.0);
  // OWNER: error: {{.*}}the first argument is a list of numbers
  auto J = isozyme::jacobian(list)(point{});
  // OWNER: error: {{.*}}the first argument alone is differentiated: put all variables into it
  std::vector<double> x{1, 2};
  auto both = isozyme::hessian([](const list_t &a, const list_t &b) { return a[0] * b[0]; })(x, x);
  // OWNER: error: {{.*}}a Hessian is that of a function that returns a number
  auto second = isozyme::hessian(list)(x);
  // OWNER: error: {{.*}}the direction, the second argument, has the type of the list of variables
  auto product = isozyme::hvp([](const list_t &a) { return a[0]; })(x, 1.0);
#elif CASE == 2
  // NONE: error: {{.*}}no argument is differentiated
  isozyme::grad(count)(1);
#elif CASE == 3
  // DIRECTIONS: error: {{.*}}along(...) wants one direction for each differentiable argument of at(...)
  isozyme::jvp(square, isozyme::at(1.0), isozyme::along(1.0, 2.0));
#elif CASE == 4
  // POINTER: error: {{.*}}the gradient of memory is accumulated in memory: use enzyme::Duplicated
  enzyme::autodiff<enzyme::Reverse>(sum, enzyme::Active{p}, enzyme::Const{1});
#elif CASE == 5
  // FORWARD: error: {{.*}}Forward mode wants the tangent of an argument: use enzyme::Duplicated
  enzyme::autodiff<enzyme::Forward>(square, enzyme::Active{1.0});
#elif CASE == 6
  // BARE-NOT: error:
  // BARE: error: {{.*}}wrap every argument: enzyme::Active, Duplicated, DuplicatedNoNeed or Const
  // BARE-NOT: error:
  enzyme::autodiff<enzyme::Reverse>(square, 1.0);
#elif CASE == 7
  // NUMBER: error: {{.*}}the gradient of a number is returned: use enzyme::Active
  enzyme::autodiff<enzyme::Reverse>(square, enzyme::Duplicated{1.0, 0.0});
#elif CASE == 13
  // MORE: error: {{.*}}the function cannot be called with these arguments: their number or their types differ from its parameters
  // MORE: header.cpp:[[@LINE+1]]:23: note: in instantiation of
  isozyme::grad(power)(1.0);
  // MORE: error: {{.*}}a gradient is that of a function that returns a number; for others there are isozyme::jacobian, jvp and vjp
  isozyme::grad(list)(std::vector<double>{1, 2});
  // MORE: error: {{.*}}the function cannot be called with these arguments: their number or their types differ from its parameters
  enzyme::autodiff<enzyme::Reverse>(power, enzyme::Active{1.0});
  // MORE: error: {{.*}}jvp takes a point and a direction: jvp(f, at(x, ...), along(v, ...))
  isozyme::jvp(square, 1.0, 1.0);
  // MORE: error: {{.*}}a member is no function of its own: write a lambda that calls it
  struct Scale {
    double factor, by(double x) const;
  } s;
  isozyme::grad(&Scale::by)(s, 1.0);
  // MORE: error: {{.*}}a Jacobian is that of a function that returns a list of numbers; for a number there is isozyme::grad
  isozyme::jacobian([](const std::vector<double> &x) { return x[0]; })(std::vector<double>{1});
  // MORE: error: {{.*}}a direction has the type of the argument that it belongs to
  std::vector<double> x{1, 2};
  isozyme::jvp(list, isozyme::at(x), isozyme::along(1.0));
#elif CASE == 15
  // One sentence, whatever becomes of the result.
  // RESULT: error: {{.*}}no argument is differentiated: integers are constants, 3.0 is a number
  auto g = isozyme::grad(square)();
  // RESULT: error: {{.*}}jvp takes a point and a direction: jvp(f, at(x, ...), along(v, ...))
  auto [y, dy] = isozyme::jvp(square, 1.0, 1.0);
  // RESULT: error: {{.*}}no argument is differentiated
  auto [none, nowhere] = isozyme::vjp(square)(isozyme::constant(1.0));
  // RESULT: error: {{.*}}the function cannot be called with these arguments
  auto [z, back] = isozyme::vjp(square)(1.0, 2.0);
#elif CASE == 14
  // The header needs C++20, says so, and nothing else.
  // OLD: isozyme.hpp:{{[0-9]+}}:2: fatal error: "isozyme.hpp is C++20: compile with -std=c++20 (enzyme/enzyme is C++17)"
  list_t x(2), g = isozyme::grad(list)(isozyme::constant(x));
  auto [value, gradient] = isozyme::value_and_grad(list)(x);
  auto [y, dy] = isozyme::jvp(list, isozyme::at(x), isozyme::along(x));
  auto J = isozyme::jacobian(list)(x);
  double sum = isozyme::grad(square)(1.0) + gradient[0] + J(0, 1) + dy[1] + double(J.rows);
#endif
}

#if CASE == 8
// PARTIALS: error: {{.*}}the partial derivatives are a function of the same arguments
template struct isozyme::rule<square>::partials<[](double, double) { return 1.0; }>;
#elif CASE == 9
// AUGMENTED: error: {{.*}}the augmented function takes the arguments of the function
template struct isozyme::rule<sum>::reverse<+[](const double *) { return 1.0; },
                                            +[](const double *, double) {}>;
#elif CASE == 10
// SEED: error: {{.*}}the reverse function takes the arguments of the function, each pointer and reference followed by its shadow, then the seed
template struct isozyme::rule<square>::reverse<+[](double x) { return x; },
                                               +[](double, double *, int) { return 1.0; }>;
#elif CASE == 11
// MEMBER: error: {{.*}}the augmented function takes the arguments of the function
struct scale { double by(double x) const; };
template struct isozyme::rule<&scale::by>::reverse<
    +[](double x) { return x; }, +[](const scale &, const scale &, double, double s) { return s; }>;
#elif CASE == 12
// SECOND: error: {{.*}}the second function takes the arguments of the function, each number, pointer and reference followed by its tangent, then the tape
template struct isozyme::rule<square>::split_tangent<+[](double x) { return x; },
                                                     +[](double *) { return 1.0; }>;
#endif
