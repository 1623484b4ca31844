; A callee without body: the error names it and says what to do.
; RUN: not %opt -passes=autodiff -disable-output %s 2>&1 | FileCheck %s

define double @f(i32 %i, double %x) {
  %r = call double @somewhere(i32 %i, double %x)
  ret double %r
}
declare double @somewhere(i32, double)

declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 1, double %x)
  ret double %r
}
; CHECK: error: {{.*}}no derivative is known for 'somewhere', which has no body here; define it in this file{{.*}} register its derivative {{.*}} mark it inactive {{.*}} [IZ201]
