; Library functions set errno, which nobody reads between the operations of a derivative: what
; only serves that goes. Functions of the program stay as they are.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x) {
  %s = call double @sin(double %x)
  ret double %s
}
declare double @sin(double)
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x) {
  %own = call double @sin(double %x)
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %g
}
; CHECK-LABEL: define double @df(
; CHECK-NEXT:    %own = call double @sin(double %x)
; CHECK-LABEL: define internal { double } @reverse.f(
; CHECK-NOT:     @sin
; CHECK:         call double @cos(double %x) [[PURE:#[0-9]+]]
; CHECK:       attributes [[PURE]] = { {{.*}}memory(none)
