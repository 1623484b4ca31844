// What may be wrong with several directions in one call.
// RUN: not %clang -c -g -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:
extern int enzyme_dup, enzyme_dupv, enzyme_width, enzyme_interleave;
extern int enzyme_byref, enzyme_primal_return;
typedef struct { double lane[2]; } Two;
typedef struct { double lane[3]; } Three;
Two __enzyme_fwddiff(void *, ...);
Three __enzyme_fwddiff_three(void *, ...);
Two __enzyme_reverse(void *, ...);
Two __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff_one(void *, ...);
double square(double x) { return x * x; }
double mul(double x, double y) { return x * y; }
double first(double *p) { return *p * *p; }

void misuse(double x, double *p, double *d, Three three, void *tape) {
  // CHECK: width.c:[[@LINE+1]]:3: error: 'enzyme_width' is given twice; {{.*}} [IZ108]
  __enzyme_fwddiff(square, enzyme_width, 2, enzyme_width, 2, x, 1.0, 0.0);
  // CHECK: width.c:[[@LINE+1]]:3: error: 'enzyme_width' is 0, but must lie between 1 and 16; leave it out for one direction [IZ108]
  __enzyme_fwddiff(square, enzyme_width, 0, x, 1.0);
  // CHECK: width.c:[[@LINE+1]]:3: error: argument 1 ('x') of 'square' is 'double', but 'enzyme_dupv' is for pointers; {{.*}} [IZ111]
  __enzyme_fwddiff(square, enzyme_width, 2, enzyme_dupv, 8, x, 1.0);
  // CHECK: width.c:[[@LINE+1]]:3: error: 'enzyme_dupv' needs the distance between two shadows in bytes; {{.*}} [IZ109]
  __enzyme_fwddiff(first, enzyme_width, 2, enzyme_dupv, 8.0, p, d);
  // CHECK: width.c:[[@LINE+1]]:3: error: 'enzyme_dupv' needs the distance between two shadows in bytes; {{.*}} [IZ109]
  __enzyme_fwddiff(first, enzyme_width, 2, enzyme_dupv, p, d);
  // CHECK: width.c:[[@LINE+1]]:3: error: the derivative of argument 1 ('p') of 'first' is missing (2 of 2); {{.*}} [IZ103]
  __enzyme_fwddiff(first, enzyme_width, 2, enzyme_dup, p, enzyme_interleave, d);
  // CHECK: width.c:[[@LINE+1]]:3: error: 'first' takes 1 argument, but argument 9 of the call belongs to none of them; {{.*}} [IZ105]
  __enzyme_fwddiff(first, enzyme_width, 2, enzyme_dup, p, enzyme_interleave, d, d, d);
  // CHECK: width.c:[[@LINE+1]]:3: error: the call is declared to return a struct of 3 x 'double', but the derivative returns a struct of 2 x 'double'{{.*}} [IZ110]
  __enzyme_fwddiff_three(square, enzyme_width, 2, x, 1.0, 0.0);
  // CHECK: width.c:[[@LINE+1]]:3: error: argument 5 of the call is a pointer, but the derivative of the result of 'square' is a struct of 2 x 'double'; {{.*}} [IZ118]
  __enzyme_reverse(square, enzyme_width, 2, x, three, tape);
  // CHECK: width.c:[[@LINE+1]]:3: error: 'enzyme_byref' says 16 bytes, but argument 1 ('x') of 'square' has 8; {{.*}} [IZ109]
  __enzyme_fwddiff(square, enzyme_width, 2, enzyme_byref, 16, x, 1.0, 0.0);
  // With one direction the first of several results may be enough; with more, the declaration is wrong.
  // CHECK: width.c:[[@LINE+1]]:18: error: the call is declared to return 'double', but the derivative returns a struct of 3 x 'double': the result of 'square', {{.*}} [IZ110]
  double value = __enzyme_fwddiff_one(square, enzyme_width, 2, enzyme_primal_return, x, 1.0, 0.0);
  // CHECK: width.c:[[@LINE+1]]:18: error: the call is declared to return a struct of 2 x 'double', but the derivative returns a struct of 4 x 'double': {{.*}} [IZ110]
  Two gradient = __enzyme_autodiff(mul, enzyme_width, 2, x, x);
  *p = value + gradient.lane[0];
}
