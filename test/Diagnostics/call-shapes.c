// Shapes that users get wrong, and what is known from Enzyme but not here: one error each, at the call.
// RUN: not %clang -O0 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not %clang -O2 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=error:
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_dupv, enzyme_byref, enzyme_interleave, enzyme_scalar;
extern int enzyme_not_overwritten, enzyme_trace, enzyme_context;
extern int enzyme_nocache, enzyme_duptrace, enzyme_likelihood, enzyme_duplikelihood,
    enzyme_observations, enzyme_interface, enzyme_active_rand_var;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __enzyme_error_estimate(void *, ...);
void *__enzyme_truncate_op_func(void *, ...);
void *__enzyme_truncate_mem_func(void *, ...);
double __enzyme_truncate_mem_value(double, ...);
double __enzyme_expand_mem_value(double, ...);
double __enzyme_likelihood(void *, ...);
double __enzyme_trace(void *, ...);
double __enzyme_sample(void *, ...);
double __enzyme_observe(double, ...);
double __enzyme_sum(double, ...);
double __enzyme_product(double, ...);
void *__enzyme_context(int);
double sq(double x) { return x * x; }
void nothing(double *p) { p[0] = 2 * p[0]; }
double run(double x, int n, double *p, double *dp) {
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_dupv' needs the distance between two shadows in bytes; {{.*}} [IZ109]
  __enzyme_autodiff_void(nothing, enzyme_dupv, p, dp);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_dupv' needs the distance between two shadows in bytes; {{.*}} [IZ109]
  __enzyme_autodiff_void(nothing, enzyme_dupv, 1.0, p, dp);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: argument 1 ('x') of 'sq' is 'double', but 'enzyme_dupv' is for pointers; {{.*}} [IZ111]
  __enzyme_fwddiff(sq, enzyme_dupv, 8, x, dp);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: no constant size follows 'enzyme_byref'; {{.*}} [IZ109]
  __enzyme_autodiff(sq, enzyme_byref, n, &x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: argument 4 of the call is 'double', not the address that 'enzyme_byref' announces; {{.*}} [IZ109]
  __enzyme_autodiff(sq, enzyme_byref, 8, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'sq' takes 1 argument, but argument 3 of the call belongs to none of them; {{.*}} [IZ105]
  __enzyme_autodiff(sq, x, enzyme_byref, 8, &x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: no constant size follows 'enzyme_byref'; {{.*}} [IZ109]
  __enzyme_autodiff(sq, enzyme_byref);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_byref' stands twice before argument 1 ('x') of 'sq'; keep one of them [IZ111]
  __enzyme_autodiff(sq, enzyme_byref, 8, enzyme_byref, 8, &x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_not_overwritten' stands twice before argument 1 ('p') of 'nothing'; {{.*}} [IZ111]
  __enzyme_autodiff_void(nothing, enzyme_not_overwritten, enzyme_not_overwritten, enzyme_dup, p, dp);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_width' is given twice; {{.*}} [IZ108]
  __enzyme_autodiff(sq, enzyme_width, 2, enzyme_width, 2, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: the shadow of argument 1 ('p') of 'nothing' is missing; {{.*}} [IZ103]
  __enzyme_autodiff_void(nothing, enzyme_dup, p, enzyme_interleave);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'nothing' takes 1 argument, but argument 6 of the call belongs to none of them; {{.*}} [IZ105]
  __enzyme_autodiff_void(nothing, enzyme_dup, p, enzyme_interleave, dp, dp);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_trace' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_trace, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_context' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_context, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_nocache' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_nocache, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_duptrace' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_duptrace, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_likelihood' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_likelihood, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_duplikelihood' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_duplikelihood, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_observations' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_observations, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_interface' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_interface, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_active_rand_var' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_autodiff(sq, enzyme_active_rand_var, p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_not_overwritten' is the last argument of the call, without a value; {{.*}} [IZ107]
  __enzyme_autodiff(sq, x, enzyme_not_overwritten);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: it is not known here which function to differentiate; {{.*}} [IZ101]
  __enzyme_autodiff((void *)0, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: it is not known here which function to differentiate; {{.*}} [IZ101]
  __enzyme_autodiff(p, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_error_estimate' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_error_estimate(sq, x, 0.0);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_truncate_op_func' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_truncate_op_func(sq, 64, 32);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_truncate_mem_func' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_truncate_mem_func(sq, 64, 32);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_truncate_mem_value' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_truncate_mem_value(x, 64, 32);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_expand_mem_value' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_expand_mem_value(x, 64, 32);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_likelihood' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_likelihood(sq, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_trace' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_trace(sq, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_sample' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_sample(sq, sq, "x", x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_observe' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_observe(x, sq, "x", x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_sum' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_sum(x, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_product' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_product(x, x);
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: '__enzyme_context' is not in this release of Isozyme; {{.*}} [IZ114]
  __enzyme_context(1);
  {
    int enzyme_dup; // Not the marker.
    // CHECK-DAG: call-shapes.c:[[@LINE+1]]:5: error: argument 2 of the call is a 32-bit integer, {{.*}}; it is a variable that has no value; if a marker is meant, declare it outside of functions, {{.*}} [IZ109]
    __enzyme_autodiff_void(nothing, enzyme_dup, &x, &x);
  }
  // CHECK-DAG: call-shapes.c:[[@LINE+1]]:3: error: 'enzyme_scalar' means nothing to a derivative; {{.*}} [IZ111]
  __enzyme_autodiff(sq, enzyme_scalar, x);
  return 0;
}
