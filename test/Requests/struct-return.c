// A result in memory: in reverse mode its shadow comes directly after the function,
// in forward mode its tangents are what the call returns, in memory too.
// RUN: %clang_bin -O1 -S -emit-llvm -Xclang -disable-llvm-passes %s -o - | %opt -passes='print<isozyme-requests>' -disable-output 2>&1 | FileCheck %s
// CHECK: reverse(@f: {{dup|dupnoneed}} ptr, active double, const i32) -> const, width 1
// CHECK-NEXT: forward(@f: dup ptr, dup double, const i32) -> const, width 1
// CHECK-NEXT: forward(@f: dup ptr, dup double, const i32) -> const, width 2
// CHECK-NEXT: reverse(@ints: const ptr, const i32) -> const, width 1

extern int enzyme_width, enzyme_primal_return;
struct Vec { double v[3]; };
struct Ints { long v[3]; };
struct Three { struct Vec primal, lane[2]; };
struct Vec f(double x, int n) { struct Vec r = {{x, x * x, n}}; return r; }
struct Ints ints(int n) { struct Ints r = {{n, n, n}}; return r; }

double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
struct Vec __enzyme_fwddiff(void *, ...);
struct Three __enzyme_fwddiff3(void *, ...);

double caller(double x) {
  struct Vec seed = {{1, 1, 1}};
  double g = __enzyme_autodiff((void *)f, &seed, x, 3);
  struct Vec t = __enzyme_fwddiff((void *)f, x, 1.0, 3);
  struct Three w = __enzyme_fwddiff3((void *)f, enzyme_width, 2, enzyme_primal_return, x, 1.0, 2.0, 3);
  __enzyme_autodiff_void((void *)ints, 3);
  return g + t.v[0] + w.primal.v[0];
}
