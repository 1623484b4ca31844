// Structures that are passed and returned in memory, and local arrays: the derivative that nobody asks for takes
// the shadow of the result, in forward mode none; each parameter has its own name.
// The command starts a compiler of its own, without the runtime that a sanitized plugin needs.
// UNSUPPORTED: sanitizers
// RUN: %isozyme explain %s:along 2>&1 | FileCheck %s
// RUN: %isozyme explain %s:along --mode=forward 2>&1 | FileCheck %s --check-prefix=FORWARD
// RUN: %isozyme explain %s:drag 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: %isozyme explain %s:through 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: %isozyme explain %s:count 2>&1 | FileCheck %s --check-prefix=CONSTANT
#include <math.h>
struct state { double x[2], v[2]; };
struct state along(struct state s, double h, struct state d) {
  for (int i = 0; i < 2; i++)
    s.x[i] += h * d.x[i];
  return s;
}
// CHECK-NOT: error
// CHECK: reverse of 'along'
// CHECK: Nothing in this file asks for it
// CHECK: h: active: its derivative is returned
// CHECK-NEXT: d: active: its derivatives are in a shadow
// CHECK: s.x[i] += h * d.x[i];
// CHECK: reverse: h.adj +=
// FORWARD-NOT: error
// FORWARD: forward of 'along'
// FORWARD: s.x[i] += h * d.x[i];

struct counts { long n[4]; };
struct counts count(double x) { return (struct counts){{(long)x}}; }
// CONSTANT-NOT: error
// CONSTANT: reverse of 'count'

// A choice is no part of the sum around it.
double drag(const double *v, double w) { return v[0] * w + fabs(v[0]) * w; }
// CHOICE: reverse: v.shadow[0] += seed * w + ((v[0] < 0) ? -(seed * w) : seed * w)

// A local array has its name, optimised or not.
__attribute__((noinline)) void squares(double *to, const double *from) {
  for (int i = 0; i < 64; i++)
    to[i] = from[i] * from[i];
}
double through(const double *x) {
  double held[64];
  squares(held, x);
  return held[3] * x[0];
}
// LOCAL: reverse: held.shadow[3] += seed * x[0]
