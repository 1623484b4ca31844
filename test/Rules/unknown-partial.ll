; By the order of a Bessel function no formula is known: an error where it takes part, nothing else.
; RUN: not %opt -passes=autodiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: the derivative of 'besselj' by its argument 1 is not known, and this argument takes part
; CHECK-SAME: [IZ201]
; CHECK-NOT: error:
define double @both(double %order, double %x) {
  %y = call double @besselj(double %order, double %x)
  ret double %y
}
define double @byX(double %x, double %seed) {
  %y = call double (...) @__enzyme_fwddiff(ptr @both, metadata !"enzyme_const", double 0.5, double %x, double %seed)
  ret double %y
}
define double @byOrder(double %order, double %seed) {
  %y = call double (...) @__enzyme_fwddiff(ptr @both, double %order, double %seed, metadata !"enzyme_const", double 1.0)
  ret double %y
}
declare double @besselj(double, double)
declare double @__enzyme_fwddiff(...)
