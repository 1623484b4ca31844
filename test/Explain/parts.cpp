// Members and elements that the optimiser keeps in registers have their names, each copy of an inlined
// function is told apart, and no adjoint is left out: the chain can be followed by hand.
// The command starts a compiler of its own, without the runtime that a sanitized plugin needs.
// UNSUPPORTED: sanitizers
// RUN: %isozyme explain %s:miss -- -std=c++20 > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=NEVER --implicit-check-not=... --implicit-check-not=llvm. \
// RUN:   --implicit-check-not=_M_ --implicit-check-not=_Z4 --implicit-check-not='t{{[0-9]+}}' < %t.txt
// NEVER: reverse of 'miss', by k, data and h
#include <array>
#include <vector>

struct Rates { double on, off; };
using State = std::array<double, 2>;

static State slope(const Rates &k, const State &y) {
  double bind = k.on * y[0];
  return {k.off * y[1] - bind, bind * y[1]};
}
static State step(const State &y, double f, const State &d) {
  State r;
  for (int i = 0; i < 2; i++)
    r[i] = y[i] + f * d[i];
  return r;
}
double miss(const Rates &k, const std::vector<double> &data, double h) {
  State y = {1, 0.5};
  double sum = 0;
  for (std::size_t n = 0; n < data.size(); n++) {
    State half = step(y, h / 2, slope(k, y));
    y = step(y, h, slope(k, half));
    if (y[1] < 0)
      y[1] = 0;
    double off = y[1] - data[n];
    sum += off * off;
  }
  return sum;
}
// CHECK: for (std::size_t n = 0
// CHECK-NEXT: loop: n, data.size() times
// CHECK: call: slope, step: inlined, see below
// CHECK: if (y[1] < 0)
// CHECK-NEXT: reverse: y[1].adj = (y[1] < 0) ? 0 : y[1].adj
// CHECK: double off = y[1] - data[n];
// CHECK-NEXT: reverse: y[1].adj += off.adj
// CHECK-NEXT: reverse: data.shadow[n] -= off.adj
// CHECK: off.adj += 2 * sum.adj * off
// CHECK-DAG: 'slope' of parts.cpp, inlined in line 30{{$}}
// CHECK-DAG: 'step' of parts.cpp, inlined in line 30{{$}}
// CHECK-DAG: 'slope' of parts.cpp, inlined in line 31{{$}}
// CHECK-DAG: 'step' of parts.cpp, inlined in line 31{{$}}
// CHECK: Tape: 16 * data.size() bytes; 2 values kept
// CHECK-NEXT: y[{{[01]}}] {{.*}} 8 * data.size() bytes
