; A call that must be a tail call leaves no room for a reverse sweep.
; RUN: not %opt -passes=autodiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: error: {{.*}} [IZ209]
define double @twice(double %x) {
  %y = fadd double %x, %x
  ret double %y
}
define double @jump(double %x) {
  %y = fmul double %x, %x
  %r = musttail call double @twice(double %y)
  ret double %r
}
define double @slope(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @jump, double %x)
  ret double %d
}
declare double @__enzyme_autodiff(ptr, ...)
