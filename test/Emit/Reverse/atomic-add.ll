; The reverse of an atomic addition reads the shadow and leaves it as it is.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define void @f(ptr noalias %x, double %v) {
  %old = atomicrmw fadd ptr %x, double %v monotonic
  ret void
}
declare double @__enzyme_autodiff(ptr, ...)
define double @df(ptr %x, ptr %dx, double %v) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, double %v)
  ret double %g
}

; CHECK-LABEL: define internal { double } @reverse.f(
; CHECK:         atomicrmw fadd ptr %x, double %v
; CHECK:         [[D:%.*]] = load atomic double, ptr %x.shadow monotonic
; CHECK-NEXT:    insertvalue { double } poison, double [[D]], 0
