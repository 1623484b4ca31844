; The phi of a loop gets a tangent phi beside it, filled once its operands exist.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi double [ 1.0, %entry ], [ %q, %loop ]
  %q = fmul double %p, %x
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %q
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, i64 %n)
  ret double %r
}
; CHECK: %p = phi double [ 1.000000e+00, %entry ], [ %q, %loop ]
; CHECK: %p.tan = phi double [ 0.000000e+00, %entry ], [ %q.tan, %loop ]
; CHECK: %q = fmul double %p, %x
; CHECK: %q.tan = fadd contract double
