// Probable mistakes, and what was probably meant instead: names of entry points, markers that
// have become numbers, values for addresses, gradients that start from nothing.
// RUN: not %clang -c -g -O0 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:
// RUN: not %clang -c -g -O2 -ferror-limit=0 %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=warning:

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_dupv;
double __enzyme_autodif(void *, ...);
void __enzyme_fwdiff_of_f(void *, ...);
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
struct Two { double v[2]; };
struct Two __enzyme_fwddiff_two(void *, ...);
void __enzyme_integer(void *, long);
double __enzyme_unlike(double);
int sprintf(char *, const char *, ...);

struct Four { double x, y, z, w; };
double sq(double x) { return x * x; }
double mul(double x, double y) { return x * y; }
double norm(const double *p, int n) { return p[0] * p[0] + n; }
double area(struct Four f) { return f.x * f.y + f.z * f.w; }
double twice(int n) { return 2.0 * n; }
void scale(const double *p, double *out) { *out = 3 * *p; }

// CHECK: slips.c:[[@LINE+1]]:52: error: the annotation 'enzyme_inactiv' of 'noise' says nothing; did you mean 'enzyme_inactive'? [IZ115]
__attribute__((annotate("enzyme_inactiv"))) double noise(double x) { return x; }
// CHECK: slips.c:[[@LINE+1]]:61: error: the annotation 'enzyme_functon_like=log' of 'mylog' says nothing; did you mean 'enzyme_function_like='? [IZ115]
__attribute__((annotate("enzyme_functon_like=log"))) double mylog(double x) { return x; }
__attribute__((annotate("not_ours"))) double other(double x) { return x; }
double (*chosen)(double) = sq;

double calls(double x, double *p, int n) {
  double sum = 0;
  // CHECK: slips.c:[[@LINE+1]]:10: error: '__enzyme_autodif' is not a known entry point; did you mean '__enzyme_autodiff'? [IZ114]
  sum += __enzyme_autodif(sq, x);
  // CHECK: slips.c:[[@LINE+1]]:3: error: '__enzyme_fwdiff_of_f' is not a known entry point; did you mean '__enzyme_fwddiff'? [IZ114]
  __enzyme_fwdiff_of_f(sq, x, 1.0);
  __enzyme_integer(p, 8); // A hint, and a function of the program's own: neither is a slip.
  return sum + __enzyme_unlike(x);
}

double values(double x, double *p, double *dp, int n) {
  double sum = 0;
  // CHECK: slips.c:[[@LINE+1]]:10: error: the function to differentiate is what 'chosen' holds, which may change; {{.*}} [IZ101]
  sum += __enzyme_autodiff(chosen, x);
  struct Four f = {x, x, x, x};
  // CHECK: slips.c:[[@LINE+1]]:10: error: argument 2 of the call is a pointer, but argument 1 ('x') of 'sq' must be 'double'; pass the value itself, not its address [IZ109]
  sum += __enzyme_autodiff(sq, &x, dp);
  // CHECK: slips.c:[[@LINE+1]]:3: error: argument 2 of the call is 'double', but argument 1 ('p') of 'norm' must be a pointer; pass the address of the value [IZ109]
  __enzyme_autodiff_void(norm, *p, *dp, 2);
  // CHECK: slips.c:[[@LINE+1]]:3: error: argument 4 of the call is a pointer, but argument 2 ('n') of 'norm' must be a 32-bit integer; leave it out if it is the shadow of the argument before, which is marked as constant [IZ109]
  __enzyme_autodiff_void(norm, enzyme_const, p, dp, 2);
  // CHECK: slips.c:[[@LINE+1]]:10: error: argument 3 of the call is 'double', but the shadow of argument 1 ('p') of 'norm' must be a pointer; pass a pointer to the derivatives before it, or mark argument 1 ('p') of 'norm' with 'enzyme_const' if it has none [IZ109]
  sum += __enzyme_fwddiff(norm, p, 1.0, 2);
  // CHECK: slips.c:[[@LINE+1]]:10: error: the shadow of argument 1 ('f') of 'area' is missing; pass the addresses of the struct and of its shadow, or mark the struct with 'enzyme_const' [IZ103]
  sum += __enzyme_autodiff(area, f);
  // CHECK: slips.c:[[@LINE+1]]:10: error: the call is declared to return 'double', but no argument of 'twice' is differentiated, so that nothing is returned; {{.*}} [IZ110]
  sum += __enzyme_autodiff(twice, n);
  // CHECK: slips.c:[[@LINE+1]]:10: error: the first argument is the address of a variable, not of a function; {{.*}} [IZ101]
  sum += __enzyme_autodiff(&f, x);
  return sum;
}

double markers(double x, double y, int n) {
  double sum = 0;
  int kind = n ? enzyme_out : enzyme_const;
  // CHECK: slips.c:[[@LINE+1]]:10: error: argument 2 of the call is computed from 'enzyme_{{out|const}}', and so no marker; {{.*}} [IZ106]
  sum += __enzyme_autodiff(mul, kind, x, enzyme_const, y);
  // CHECK: slips.c:[[@LINE+1]]:10: error: argument 2 of the call is computed from 'enzyme_{{dup|out}}', and so no marker; {{.*}} [IZ106]
  sum += __enzyme_autodiff(mul, enzyme_dup | enzyme_out, x, enzyme_const, y);
  return sum;
}

struct Numbers { double *v; long n; };
double first(struct Numbers s) { return s.v[0]; }
double ofFloats(const double *v) { return v[0] * v[0]; }
double declaredHere(double x, double *p) {
  int enzyme_out = 0, enzyme_const = 1;
  // CHECK: slips.c:[[@LINE+1]]:16: error: argument 2 of the call is a 32-bit integer, but argument 1 ('x') of 'mul' must be 'double'; leave it out; if a marker is meant, declare it outside of functions and without a value, as <isozyme/isozyme.h> does: 'extern int enzyme_out;' [IZ109]
  double sum = __enzyme_autodiff(mul, enzyme_out, x, enzyme_const, 3.0);
  struct Numbers s = {p, 2}, ds = {&sum, 2};
  // CHECK: slips.c:[[@LINE+1]]:3: error: argument 4 of the call is a 64-bit integer, but the shadow of argument 1 ('s') of 'first' must be a pointer; pass a shadow before it, or mark argument 1 ('s') of 'first' with 'enzyme_const' if it has none; if this is a struct that is passed by value, differentiate a function that takes its address [IZ109]
  __enzyme_autodiff_void(first, enzyme_dup, s, ds);
  double *unset;
  // CHECK: slips.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('p') of 'norm' is a pointer that nothing has set; {{.*}} [IZ309]
  __enzyme_autodiff_void(norm, enzyme_dup, p, unset, 2);
  float v[2] = {1, 2}, dv[2] = {0};
  // CHECK: slips.c:[[@LINE+1]]:3: warning: argument 1 ('v') of 'ofFloats' consists of numbers of 4 bytes, and the function takes them for numbers of 8; pass an array of the type that the function declares [IZ309]
  __enzyme_autodiff_void(ofFloats, enzyme_dup, v, dv);
  return sum + dv[0];
}

double lanes(double *p) {
  double dp[2][2] = {{1, 0}, {0, 1}}, tangent[2] = {1, 0};
  // CHECK: slips.c:[[@LINE+1]]:3: warning: the call returns the derivative, and nothing uses it; declare the call to return it [IZ305]
  __enzyme_fwddiff_void(norm, enzyme_dup, p, tangent, enzyme_const, 2);
  // CHECK: slips.c:[[@LINE+1]]:10: warning: the shadows of argument 1 ('p') of 'norm' are said to be 2 bytes apart, and hold numbers of 8; pass the distance between two shadows in bytes [IZ309]
  return __enzyme_fwddiff_two(norm, enzyme_width, 2, enzyme_dupv, 2, p, dp, enzyme_const, 2).v[0];
}

double order(double *p, double *dp, double x) {
  // CHECK: slips.c:[[@LINE+1]]:3: error: the shadow of argument 1 ('p') of 'norm' is missing; markers come before the value, and what belongs to it directly after it [IZ103]
  __enzyme_autodiff_void(norm, p, enzyme_dup, dp, 2);
  // CHECK: slips.c:[[@LINE+1]]:3: error: the shadow of argument 1 ('p') of 'norm' is missing; markers come before {{.*}} [IZ103]
  __enzyme_autodiff_void(norm, enzyme_dup, p, enzyme_dup, dp, enzyme_const, 2);
  // CHECK: slips.c:[[@LINE+1]]:3: error: the shadow of argument 2 ('n') of 'norm' is missing; leave out the marker: a number that is not differentiated has none [IZ103]
  __enzyme_autodiff_void(norm, p, dp, enzyme_dup, 2, enzyme_const);
  return x;
}

struct Vector { double by, *v; };
double product(const struct Vector *s) { return s->by * *s->v; }
double addresses(double x) {
  double v = x, dv = 0;
  struct Vector s = {2, &v}, ds = {0}, dt = {0, &dv};
  // CHECK: slips.c:[[@LINE+1]]:3: warning: the shadow of argument 1 ('s') of 'product' holds null where the argument holds the address of numbers; {{.*}} [IZ309]
  __enzyme_autodiff_void(product, enzyme_dup, &s, &ds);
  __enzyme_autodiff_void(product, enzyme_dup, &s, &dt);
  double tangent[2] = {0};
  // CHECK: slips.c:[[@LINE+1]]:15: warning: all derivatives that the call starts from are zero, {{.*}} [IZ306]
  return dv + __enzyme_fwddiff(norm, enzyme_dup, &v, tangent, 1);
}

double seeds(double x) {
  double dx = 0, out, dout = 0, seed = 1, dp = 0;
  // CHECK: slips.c:[[@LINE+1]]:3: warning: all gradients are zero: no result of 'scale' is differentiated, and every shadow holds zeros when the call begins; {{.*}} [IZ306]
  __enzyme_autodiff_void(scale, enzyme_dup, &x, &dx, enzyme_dup, &out, &dout);
  // CHECK: slips.c:[[@LINE+1]]:3: warning: all gradients are zero: {{.*}} [IZ306]
  __enzyme_autodiff_void(scale, enzyme_dup, &x, &dp, enzyme_const, &out);
  double dq = 0;
  __enzyme_autodiff_void(scale, enzyme_dup, &x, &dq, enzyme_dup, &out, &seed);
  return dx + dout + dp + dq;
}

void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
double tape(double x) {
  void *kept = __enzyme_augmentfwd(sq, x);
  // CHECK: slips.c:[[@LINE+1]]:10: error: argument 4 of the call is the address of a variable, not the tape; {{.*}} [IZ117]
  return __enzyme_reverse(sq, x, 1.0, &kept);
}
