; Adjoints and kept values are locals while they are emitted; clean-up turns them into registers.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x, i1 %c) {
entry:
  %s = fmul double %x, %x
  br i1 %c, label %more, label %done
more:
  %t = fmul double %s, %x
  br label %done
done:
  %r = phi double [ %s, %entry ], [ %t, %more ]
  ret double %r
}
@enzyme_const = external global i32
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x, i1 %c) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_const, i1 %c)
  ret double %g
}
; CHECK-LABEL: define internal { double } @reverse.f(
; CHECK-NOT:     alloca
; CHECK-NOT:     load
; CHECK:         ret { double }
