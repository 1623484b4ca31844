// A debugger stops in both halves of a function that is called, in optimised code, in forward mode,
// and in members of classes; it names the functions, and finds adjoints and arrays of them.
// REQUIRES: gdb
// RUN: %clangxx -O2 -g %s -o %t
// RUN: gdb -q -nx -batch -x %S/Inputs/called.gdb %t 2>&1 | FileCheck %s
// RUN: %clangxx -O0 -g %s -o %t.O0
// RUN: gdb -q -nx -batch -x %S/Inputs/inlined.gdb %t.O0 2>&1 | FileCheck --check-prefix=INLINED %s
#include <cmath>
#include <cstdio>

extern int enzyme_dup, enzyme_const;
template <typename... T> void __enzyme_autodiff(void *, T...);
template <typename... T> double __enzyme_fwddiff(void *, T...);

struct Spring {
  double stiffness;
  __attribute__((noinline)) double force(double x) const {
    double stretch = x * x;
    return stiffness * std::sin(stretch);
  }
};

static double total(const Spring *s, const double *x, int n) {
  double sum = 0;
  double parts[4] = {0};
  for (int i = 0; i < n; i++)
    parts[i % 4] += s->force(x[i]);
  std::fflush(stdout); // It might write to the spring: force keeps what it reads, in a function of its own.
  for (int i = 0; i < 4; i++)
    sum += parts[i] * parts[i];
  return sum;
}

// An address that the optimiser knows nothing of: what has been written there stays in memory, for gdb to read.
template <typename T> static T *inMemory(T *p) {
  asm volatile("" : "+r"(p) : : "memory");
  return p;
}

int main(int argc, char **argv) {
  Spring spring{2}, adjoint{0.25};
  Spring *s = inMemory(&spring), *ds = inMemory(&adjoint);
  double x[3] = {0.5, 1, double(argc)}, dx[3] = {0};
  __enzyme_autodiff((void *)total, enzyme_dup, s, ds, enzyme_dup, x, dx, enzyme_const, argc + 2);
  double t = __enzyme_fwddiff((void *)total, enzyme_dup, s, ds, enzyme_dup, x, dx, enzyme_const,
                              argc + 2);
  std::printf("%g %g %g\n", ds->stiffness, dx[0], t);
}

// The forward half, for the first element; the reverse half, from the last one on.
// CHECK: forward half of the gradient of Spring::force{{.*}}gdb.cpp:18
// CHECK: #0 forward half of the gradient of Spring::force
// CHECK-NEXT: #1 {{.*}}gradient of total
// CHECK-NEXT: #2 {{.*}}main
// CHECK: forward half of the gradient of Spring::force{{.*}}gdb.cpp:19
// CHECK: #0 reverse half of the gradient of Spring::force{{.*}}gdb.cpp:19
// CHECK-NEXT: #1 {{.*}}gradient of total
// CHECK: this_adj->stiffness = 0.25
// Forward mode, the last element.
// CHECK: derivative of Spring::force{{.*}}gdb.cpp:19
// CHECK: stretch = 1
// CHECK: stretch_tan = {{[0-9.]+}}

// Without optimisation the function is inlined into both parts of the gradient.
// INLINED: Spring::force {{.*}}gdb.cpp:18
// INLINED: #1 {{.*}}gradient of total
// INLINED: parts_adj[2] = 0
// INLINED: Spring::force {{.*}}gdb.cpp:18
// INLINED: #1 {{.*}}gradient of total
// INLINED: parts_adj[2] = 3.36
// INLINED: i = 2
// INLINED: return stiffness
// INLINED: double stretch = x * x;
// INLINED: stretch_adj = 3.63{{[0-9]+}}
