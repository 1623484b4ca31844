// -isozyme-watch prints each share of an adjoint of a variable: of a number, of elements of an array of
// rows, of a member of structures; and tangents. The plan lists them. Names that stand for nothing
// are told.
// RUN: %clang -O0 -g -mllvm -isozyme-watch=scale,m,p.mass,s.data %s -o %t -lm
// RUN: %t 2>&1 | FileCheck %s
// RUN: env ISOZYME_WATCH=scale,m,p.mass %clang -O2 -g %s -o %t.O2 -lm
// RUN: %t.O2 2>&1 | FileCheck --check-prefix=FAST %s
// RUN: %clang_bin -O1 -g -S -emit-llvm %s -o %t.ll
// RUN: %opt %t.ll -isozyme-watch=m,p -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck --check-prefix=PLAN %s
// RUN: %clang -O2 -g -mllvm -isozyme-watch=scal,k,gone -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=NAMES %s
// RUN: %clang -O2 -mllvm -isozyme-watch=scale -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=NODEBUG %s
#include <math.h>
#include <stdio.h>
extern int enzyme_dup, enzyme_const, enzyme_width;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

struct body {
  int id;
  double mass;
};

__attribute__((noinline)) static double energy(double (*m)[3], struct body *p, const double *s, int n) {
  double scale = s[0] * 2;
  double gone = n * 3.0;
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += m[k][2] * p[k].mass * scale;
  return sum + p->mass;
}

struct series {
  double *data;
  long n;
};

static double total(const struct series *s) {
  double sum = 0;
  for (long k = 0; k < s->n; k++)
    sum += s->data[k] * s->data[k];
  return sum;
}

int main(int argc, char **argv) {
  double m[2][3] = {{1, 2, 3}, {4, 5, 6}}, dm[2][3] = {{0}}, s = 1, ds = 0;
  struct body p[2] = {{1, 2}, {2, 5}}, dp[2] = {{0}};
  __enzyme_autodiff((void *)energy, enzyme_dup, m, dm, enzyme_dup, p, dp, enzyme_dup, &s, &ds, enzyme_const, argc + 1);
  // CHECK-DAG: gradient of energy: watch.c:29: p.mass.adj += 1 -> 1
  // CHECK-DAG: gradient of energy: watch.c:28: m[1][2].adj += 10 -> 10
  // CHECK-DAG: gradient of energy: watch.c:28: p[1].mass.adj += 12 -> 12
  // CHECK-DAG: gradient of energy: watch.c:28: scale.adj += 30 -> 30
  // CHECK-DAG: gradient of energy: watch.c:28: scale.adj += 6 -> 36
  // FAST-DAG: m[1][2].adj += 10 -> 10
  // FAST-DAG: scale.adj += 6 -> 36
  fprintf(stderr, "ds %g\n", ds);
  // CHECK: ds 72
  // FAST: ds 72
  ds = 1;
  __enzyme_fwddiff((void *)energy, enzyme_const, m, enzyme_const, p, enzyme_dup, &s, &ds, enzyme_const, argc + 1);
  // CHECK: derivative of energy: watch.c:24: scale.tan = 2
  // FAST: derivative of energy: watch.c:24: scale.tan = 2
  double data[2] = {1, 2}, ddata[2] = {0};
  struct series t = {data, argc + 1}, dt = {ddata, argc + 1};
  __enzyme_autodiff((void *)total, enzyme_dup, &t, &dt);
  // CHECK: gradient of total: watch.c:40: s.data[1].adj += 4 -> 4
  // CHECK-NEXT: gradient of total: watch.c:40: s.data[0].adj += 2 -> 2
}

// PLAN: watched
// PLAN-DAG: load %{{.*}} as m[%lld][%lld]
// PLAN-DAG: load %{{.*}} as p[%lld].mass

// NAMES-DAG: warning: nothing of 'scal' can be watched: no differentiated function has a variable of this name; there is 'scale' [IZ308]
// NAMES-DAG: warning: nothing of 'k' can be watched: the variable carries no derivative here [IZ308]
// NAMES-DAG: warning: nothing of 'gone' can be watched: the {{.*}} [IZ308]
// NODEBUG: warning: nothing of 'scale' can be watched: the program was compiled without debug information; compile it with -g [IZ308]
