; A call through a pointer with active data is refused.
; RUN: not %opt -passes=autodiff -disable-output %s 2>&1 | FileCheck %s

define double @f(ptr %fn, double %x) {
  %r = call double %fn(double %x)
  ret double %r
}

@enzyme_const = external global i32
declare double @__enzyme_autodiff(ptr, ...)
define double @df(ptr %fn, double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr @enzyme_const, ptr %fn, double %x)
  ret double %r
}
; CHECK: error: {{.*}}a call through a function pointer takes part in the derivative, and {{.*}} [IZ205]
