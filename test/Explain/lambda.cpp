// A derivative of isozyme::grad is that of the user's function: its name, its arguments, its lines.
// The command starts a compiler of its own, without the runtime that a sanitized plugin needs.
// UNSUPPORTED: sanitizers
// RUN: %isozyme explain %s -- -std=c++20 -I%source/include > %t.txt
// RUN: FileCheck %s --implicit-check-not=.hpp --implicit-check-not=thunk --implicit-check-not='arguments' \
// RUN:   --implicit-check-not='{{[0-9]}}.adj' --implicit-check-not=_M_ < %t.txt
#include <algorithm>
#include <cmath>
#include <isozyme/isozyme.hpp>
#include <vector>

double drag(double speed, double area) { return 0.6 * speed * speed * area; }

double gradients(double k, std::vector<double> &x) {
  auto force = [&](double s) { return drag(s, k) - k * s; };
  double f = isozyme::grad(force)(2.0);
  auto [v, a] = isozyme::grad(drag)(3.0, 0.1);
  std::vector<double> g = isozyme::grad([k](const std::vector<double> &x) {
    double sum = 0;
    std::for_each(x.begin(), x.end(), [&](double e) { sum += k * std::sin(e); });
    return sum;
  })(x);
  return f + v + a + g[0];
}
// CHECK: reverse of 'force', by s
// CHECK-NEXT: Asked for in 'gradients', lambda.cpp:16
// CHECK: captured variables: constant
// CHECK-NEXT: s: active: its derivative is returned
// CHECK: auto force = [&](double s)
// CHECK: reverse: s.adj -= seed * k
// CHECK: call: drag: inlined, see below
// CHECK: 'drag' of lambda.cpp, inlined in line 15

// CHECK: reverse of 'drag', by speed and area
// CHECK: reverse: area.adj += seed * speed

// CHECK: reverse of the lambda in line 18, by x
// CHECK: captured variables: constant
// CHECK: loop: x.size() times, counted by [[COUNTER:k20]]
// CHECK: reverse: x.shadow{{.}}[[COUNTER]]] += e.adj
// CHECK: return sum;
// CHECK-NEXT: reverse: sum.adj += seed
// CHECK: the lambda in line 20 of lambda.cpp, inlined in line 20
// CHECK: reverse: e.adj += sum.adj * k * cos(e)
