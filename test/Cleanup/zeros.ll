; Adding to an adjoint that is still zero is no addition.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x) {
  %a = fmul double %x, 2.0
  %b = fmul double %a, 3.0
  ret double %b
}
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %g
}
; CHECK-LABEL: define internal { double } @reverse.f(
; CHECK-NOT:     fadd
; CHECK:         ret { double }
