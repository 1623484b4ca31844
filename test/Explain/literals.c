// A text of the source is written as such, and a union goes by the member that has derivatives.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
extern void __enzyme_autodiff(void *, ...);

struct Scaled {
  union {
    double scale;
    long bits;
  } u;
};

__attribute__((noinline)) static double chosen(const char *name, const double *x,
                                               struct Scaled *s) {
  s->u.scale = x[1];
  return name[0] == 'l' ? x[0] * s->u.scale : x[0] * x[0];
}
// CHECK: reverse of 'energy'
// CHECK-DAG: reverse.chosen("linear", {{.*}}
// CHECK-DAG: reverse.chosen("a name that is longer th...", {{.*}}
double energy(const double *x) {
  struct Scaled s;
  return chosen("linear", x, &s) + chosen("a name that is longer than others", x, &s) * s.u.scale;
}
// CHECK: reverse of 'chosen'
// CHECK: s->u.scale.adj
// CHECK-NOT: bits.adj
void gradient(double *x, double *dx) { __enzyme_autodiff((void *)energy, x, dx); }
