// Members and elements as the source writes them, through references and containers; a call
// that is inlined is shown below its caller.
// RUN: %clangxx -O2 -g -fstandalone-debug -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- \
// RUN:   -mllvm -isozyme-explain-function=phys::energy | FileCheck %s
#include <vector>

namespace phys {
struct Body {
  double mass, velocity[2];
};
static double square(double x) { return x * x; }
double energy(const std::vector<Body> &bodies, const double (&scale)[2]) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body &b = bodies[i];
    sum += b.mass * (square(b.velocity[0]) + b.velocity[1] * scale[1]);
  }
  return sum;
}
} // namespace phys

// CHECK: Nothing in this file asks for it
// CHECK: loop: i, bodies.size() times
// CHECK: sum += b.mass
// CHECK: reverse: scale[1].adj += sum.adj * bodies[i].mass * bodies[i].velocity[1]
// CHECK-NEXT: reverse: bodies.shadow[i].velocity[1] += sum.adj * bodies[i].mass * scale[1]
// CHECK-NEXT: reverse: bodies.shadow[i].velocity[0] += x.adj
// CHECK: reverse: scale.shadow[1] += scale[1].adj
// CHECK: call: square: inlined, see below
// CHECK: 'square' of members.cpp, inlined in line 16
// CHECK: reverse: x.adj += 2 * sum.adj * bodies[i].mass * x
// CHECK: Tape: 0 bytes
