// Sizes are formulas in the variables of the function: a product of trip counts, a sum over a
// triangle, what is known only afterwards, and long parts under a short name.
// RUN: %clang -O2 -g -S -emit-llvm -o /dev/null %s -mllvm -isozyme-explain=- | FileCheck %s
#include <math.h>
double __enzyme_autodiff(void *, ...);

double triangle(const double *restrict a, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      s += sin(a[i * n + j]) * s;
  return s;
}

struct node { double v; struct node *next; };
double list(const struct node *p) {
  double s = 0;
  for (; p; p = p->next)
    s += p->v * p->v;
  return s;
}

struct range { long firstOfAll, lastOfAll; };
double from(const double *restrict x, const struct range *restrict r) {
  double s = 1;
  for (long i = r->firstOfAll; i < r->lastOfAll; i += 3)
    s *= x[i];
  return s;
}

double squares(const double *restrict a, int n) {
  double s = 0;
  for (int i = 0; i < n * n; i++)
    s += a[i] * a[i] * s;
  return s;
}

double atLeastOnce(const double *restrict a, int n) {
  double s = 0;
  int i = 0;
  do
    s += a[i] * a[i] * s;
  while (++i < n);
  return s;
}

void gradients(double *a, double *da, struct node *p, struct node *dp, struct range *r, int n) {
  extern int enzyme_const;
  __enzyme_autodiff((void *)triangle, a, da, n);
  __enzyme_autodiff((void *)list, p, dp);
  __enzyme_autodiff((void *)from, a, da, enzyme_const, r);
  __enzyme_autodiff((void *)squares, a, da, n);
  __enzyme_autodiff((void *)atLeastOnce, a, da, n);
}

// CHECK: loop: j, i + 1 times
// CHECK: reverse: a.shadow[i * n + j] += s.adj * s * cos(a[i * n + j])
// CHECK-NEXT: reverse: s.adj = s.adj * sin(a[i * n + j]) + s.adj
// CHECK: kept: sin(a[i * n + j]), 4 * n * n + 4 * n bytes
// CHECK: Tape: 8 * n * n + 16 * n bytes
// CHECK: the address of the array for 's' {{.*}} 8 * n bytes

// CHECK: reverse of 'list'
// CHECK: loop: how many times is known only afterwards
// CHECK: reverse: p.shadow->v += 2 * s.adj * p->v
// CHECK: kept: p->v, 8 * iterations(line 18) bytes
// CHECK: kept: the number of iterations of the loop in line 18, 8 bytes

// CHECK: reverse of 'from'
// CHECK: loop: i, N1{{.*}} times
// CHECK: reverse: x.shadow[i] += s.adj * s
// CHECK: {{^}}  N1 = {{.*}}r->firstOfAll{{.*}} / 3

// A count has a minimum only where the loop may be entered for less.
// CHECK: reverse of 'squares'
// CHECK: loop: i, n * n times
// CHECK: Tape: 8 * n * n bytes
// CHECK: reverse of 'atLeastOnce'
// CHECK: loop: i, max(1, n) times
