// Variadic calls promote: a float comes as a double, a bool or short as an int. A
// literal fits a wider integer, and zero is a pointer.
// RUN: %clang_bin -S -emit-llvm %s -o - | %opt -passes='print<isozyme-requests>' -disable-output 2>&1 | FileCheck %s
// CHECK: reverse(@f: active float, const i1, const i16, const i64, dup ptr) -> active, width 1

float __enzyme_autodiff(void *, ...);
float f(float x, _Bool b, short s, long n, float *p) { return b ? x * s : x * n; }
float caller(float x, _Bool b, short s, float *p) {
  return __enzyme_autodiff((void *)f, x, b, s, 3, p, 0);
}
