// Every misuse of a call is one message at the place of the call; the calls around it
// are read all the same.
// RUN: not %clang -c -g -ferror-limit=0 -Wno-implicit-function-declaration %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=error:

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_dupp, enzyme_tape;
extern int enzyme_primal_return, enzyme_active_return, enzyme_dup_return, enzyme_const_return;
extern int enzyme_byref, enzyme_dupv;
struct Two { double a, b; };
struct Three { double v[3]; };
double __enzyme_autodiff(void *, ...);
struct Two __enzyme_autodiff_two(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct Three __enzyme_fwddiff_three(void *, ...);
void *__enzyme_augmentfwd(void *, ...);

double bodyless(double);
double sq(double x) { return x * x; }
double mul(double x, double y) { return x * y; }
double dot(const double *p, const double *q, int n) { return p[0] * q[0] + n; }
int count(int n) { return n; }
void nothing(double *p) { p[0] = 2 * p[0]; }
float single(float x) { return x; }
struct Three many(double x) { struct Three r = {{x, x, x}}; return r; }

void caller(double x, double *p, double *dp, void (*unknown)(void), int n) {
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: it is not known here which function to differentiate; {{.*}} [IZ101]
  __enzyme_autodiff(unknown, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'bodyless' has no body in this file; {{.*}} [IZ102]
  __enzyme_autodiff(bodyless, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: the shadow of argument 1 ('p') of 'dot' is missing; pass it after the pointer, or mark the pointer with 'enzyme_const' [IZ103]
  __enzyme_autodiff(dot, enzyme_dup, p, enzyme_const, p, 2);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: the derivative of argument 1 ('x') of 'sq' is missing (2 of 2); {{.*}} [IZ103]
  __enzyme_fwddiff(sq, enzyme_width, 2, enzyme_dup, x, 1.0);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'mul' takes 2 arguments, but the call has values for 1; pass argument 2 ('y') of 'mul' as well [IZ104]
  __enzyme_autodiff_two(mul, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'sq' takes 1 argument, but argument 3 of the call belongs to none of them; {{.*}} [IZ105]
  __enzyme_autodiff(sq, x, 1.0);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_dupp' is not a known marker; did you mean 'enzyme_dup'? [IZ106]
  __enzyme_autodiff(dot, enzyme_dupp, p, dp, p, 2);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: no value follows 'enzyme_out', for argument 1 ('x') of 'sq'; {{.*}} [IZ107]
  __enzyme_autodiff(sq, enzyme_out);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_const' is the last argument of the call, without a value; {{.*}} [IZ107]
  __enzyme_autodiff(sq, x, enzyme_const);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: no number follows 'enzyme_width'; {{.*}} [IZ108]
  __enzyme_fwddiff(sq, x, 1.0, enzyme_width);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: the number after 'enzyme_width' is not a constant; {{.*}} [IZ108]
  __enzyme_fwddiff(sq, enzyme_width, n, x, 1.0);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_width' is 17, but must lie between 1 and 16; {{.*}} [IZ108]
  __enzyme_fwddiff(sq, enzyme_width, 17, x, 1.0);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: argument 2 of the call is a 32-bit integer, but argument 1 ('x') of 'sq' must be 'double'; {{.*}} [IZ109]
  __enzyme_autodiff(sq, 2);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: argument 3 of the call is a 32-bit integer, but the shadow of argument 1 ('p') of 'dot' must be a pointer; {{.*}} [IZ109]
  __enzyme_autodiff(dot, p, 3, p, dp, n);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_byref' says 4 bytes, but argument 1 ('x') of 'sq' has 8; {{.*}} [IZ109]
  __enzyme_autodiff(sq, enzyme_byref, 4, &x);
  // CHECK: call-misuse.c:[[@LINE+1]]:7: warning: the call is declared to return 'double', and gets only the first of: the gradient of argument 1 ('x') of 'mul', then the gradient of argument 2 ('y') of 'mul' [IZ302]
  x = __enzyme_autodiff(mul, x, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:7: error: the call is declared to return 'double', but the derivative returns 'float': {{.*}} [IZ110]
  x = __enzyme_autodiff(single, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:7: warning: the call is declared to return 'double', but this derivative of 'dot' returns nothing; {{.*}} [IZ110]
  x = __enzyme_autodiff(dot, p, dp, p, dp, n);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: the call is declared to return a struct of 3 x 'double', but gives 2 of what 'many' returns, each a struct of 3 x 'double'; {{.*}} [IZ110]
  __enzyme_fwddiff_three(many, enzyme_primal_return, x, 1.0);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: argument 1 ('p') of 'dot' is a pointer, whose gradient cannot be returned; {{.*}} [IZ111]
  __enzyme_autodiff_void(dot, enzyme_out, p, p, dp, n);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: argument 1 ('x') of 'sq' is passed by value: no shadow can receive its gradient; {{.*}} [IZ111]
  __enzyme_autodiff_void(sq, enzyme_dup, x, dp);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_out' before argument 1 ('x') of 'sq' has no meaning in forward mode; {{.*}} [IZ111]
  __enzyme_fwddiff(sq, enzyme_out, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_dup' and 'enzyme_const' both stand before argument 1 ('p') of 'nothing'; {{.*}} [IZ111]
  __enzyme_autodiff_void(nothing, enzyme_dup, enzyme_const, p, dp);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_const_return' and 'enzyme_active_return' contradict each other; {{.*}} [IZ111]
  __enzyme_autodiff(sq, enzyme_const_return, enzyme_active_return, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'sq' returns 'double', which 'enzyme_dup_return' does not fit; {{.*}} [IZ111]
  __enzyme_autodiff(sq, enzyme_dup_return, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_primal_return' asks for the result of 'nothing', which returns nothing; {{.*}} [IZ112]
  __enzyme_autodiff_void(nothing, enzyme_primal_return, p, dp);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'count' returns a 32-bit integer, which has no derivative to start from; {{.*}} [IZ113]
  __enzyme_autodiff_void(count, enzyme_active_return, n);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: 'enzyme_tape' is about a tape, and this call leaves none; {{.*}} [IZ111]
  __enzyme_autodiff(sq, enzyme_tape, p, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: '__enzyme_condition' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_condition(sq, x);
  // CHECK: call-misuse.c:[[@LINE+1]]:3: error: the function to differentiate must come first, but 'enzyme_out' does; {{.*}} [IZ101]
  __enzyme_autodiff(&enzyme_out, sq, x);
}
