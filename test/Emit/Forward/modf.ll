; modf stores the whole part, which does not vary: zero goes to its shadow.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x, ptr %whole) {
  %r = call double @modf(double %x, ptr %whole)
  ret double %r
}
declare double @modf(double, ptr)

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, ptr %p, ptr %dp)
  ret double %r
}
; CHECK: %r = call double @modf(double %x, ptr %whole)
; CHECK: store double 0.000000e+00, ptr %whole.shadow
; CHECK: insertvalue { double } poison, double %x.tan, 0
