// The declared result is compared by the scalars it holds, however the ABI returns
// it: two floats as a vector, an int and a float as one integer, more in memory.
// RUN: %clang_bin -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<isozyme-requests>' -disable-output %t.ll 2>&1 | FileCheck %s --implicit-check-not=error
// CHECK: reverse(@floats: active float, active float) -> active, width 1
// CHECK: reverse(@number: const i32, active float) -> const, primal, width 1
// CHECK: reverse(@flag: active double) -> const, primal, width 1
// CHECK: reverse(@three: active double, active double, active float) -> active, width 1
// CHECK: reverse(@complex: active double, active double) -> active, width 1
// CHECK: forward(@floats: dup float, dup float) -> dup, primal, width 2

extern int enzyme_width, enzyme_primal_return;
struct Floats { float a, b; };
struct Number { int value; float gradient; };
struct Flag { _Bool value; double gradient; };
struct Three { struct { double a, b; } first; float c; };
struct Lanes { float primal, lane[2]; };

struct Floats __enzyme_autodiff_floats(void *, ...);
struct Number __enzyme_autodiff_number(void *, ...);
struct Flag __enzyme_autodiff_flag(void *, ...);
struct Three __enzyme_autodiff_three(void *, ...);
_Complex double __enzyme_autodiff_complex(void *, ...);
struct Lanes __enzyme_fwddiff_lanes(void *, ...);

float floats(float a, float b) { return a * b; }
int number(int n, float x) { return n; }
_Bool flag(double x) { return x > 0; }
double three(double a, double b, float c) { return a * b * c; }
_Complex double complex(_Complex double z) { return z * z; }

double caller(int n, float x, double y, _Complex double z) {
  struct Floats f = __enzyme_autodiff_floats((void *)floats, x, x);
  struct Number i = __enzyme_autodiff_number((void *)number, enzyme_primal_return, n, x);
  struct Flag b = __enzyme_autodiff_flag((void *)flag, enzyme_primal_return, y);
  struct Three t = __enzyme_autodiff_three((void *)three, y, y, x);
  _Complex double c = __enzyme_autodiff_complex((void *)complex, z);
  struct Lanes l = __enzyme_fwddiff_lanes((void *)floats, enzyme_width, 2, enzyme_primal_return, x,
                                          1.0f, 0.0f, x, 0.0f, 1.0f);
  return f.a + i.gradient + b.gradient + t.c + __real__ c + l.lane[1];
}
