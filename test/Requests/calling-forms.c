// Every form of a call, run: struct results in memory, results as the ABI bends
// them, promoted operands, structs by value, several directions, strided and
// interleaved shadows.
// RUN: %clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// CHECK: 41
// CHECK-NEXT: 1 4 36
// CHECK-NEXT: 24 36 72
// CHECK-NEXT: 4 3
// CHECK-NEXT: 30 10
// CHECK-NEXT: 4 5 6  1 2 3
// CHECK-NEXT: 2 1
// CHECK-NEXT: 2 1
#include <stdio.h>
extern int enzyme_width, enzyme_primal_return, enzyme_dup, enzyme_const, enzyme_dupv, enzyme_interleave, enzyme_byref;
struct Vec { double v[3]; };
struct Three { struct Vec primal, lane[2]; };
struct Vec f(double x, int n) { struct Vec r = {{x, x * x, n*x*x*x}}; return r; }
double __enzyme_autodiff(void *, ...);
struct Vec __enzyme_fwddiff(void *, ...);
struct Three __enzyme_fwddiff3(void *, ...);
struct Floats { float a, b; };
struct Floats __enzyme_autodiff_floats(void *, ...);
float floats(float a, float b) { return a * b; }
float scaled(int n, float x, _Bool b, short s) { return b ? n*x*s : 0; }
double dot(const double *p, struct Vec q, long n) { double s = 0; for (long i=0;i<n;i++) s += p[i]*q.v[i]; return s; }
struct ValueAndGradient { float value; float gradient; };
struct ValueAndGradient __enzyme_autodiff_scaled(void *, ...);
void __enzyme_autodiff_v(void *, ...);
struct Pair { double d[2]; } __enzyme_fwddiff_pair(void*, ...);
double sum(const double *p) { return p[0]*p[1]; }
int main() {
  double x = 2;
  struct Vec seed = {{1, 1, 1}};
  printf("%g\n", __enzyme_autodiff((void *)f, &seed, x, 3));
  struct Vec t = __enzyme_fwddiff((void *)f, x, 1.0, 3);
  printf("%g %g %g\n", t.v[0], t.v[1], t.v[2]);
  struct Three w = __enzyme_fwddiff3((void *)f, enzyme_width, 2, enzyme_primal_return, x, 1.0, 2.0, 3);
  printf("%g %g %g\n", w.primal.v[2], w.lane[0].v[2], w.lane[1].v[2]);
  struct Floats fl = __enzyme_autodiff_floats((void*)floats, 3.0f, 4.0f);
  printf("%g %g\n", fl.a, fl.b);
  struct ValueAndGradient n2 = __enzyme_autodiff_scaled((void*)scaled, enzyme_primal_return, 2, 3.0f, 1, 5);
  printf("%g %g\n", n2.value, n2.gradient);
  double p[3]={1,2,3}, dp[3]={0}; struct Vec q={{4,5,6}}, dq={{0}};
  __enzyme_autodiff_v((void*)dot, enzyme_dup, p, dp, enzyme_dup, &q, &dq, 3);
  printf("%g %g %g  %g %g %g\n", dp[0],dp[1],dp[2],dq.v[0],dq.v[1],dq.v[2]);
  double d2[2][2]={{1,0},{0,1}};
  struct Pair pr = __enzyme_fwddiff_pair((void*)sum, enzyme_width, 2, enzyme_dupv, sizeof d2[0], p, d2);
  printf("%g %g\n", pr.d[0], pr.d[1]);
  pr = __enzyme_fwddiff_pair((void*)sum, enzyme_width, 2, enzyme_dup, p, enzyme_interleave, d2[0], d2[1]);
  printf("%g %g\n", pr.d[0], pr.d[1]);
}
