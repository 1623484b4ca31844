; A call becomes a call of the callee's forward derivative, which computes the
; primal result too; the derivative calls itself where the function does.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @power(double %x, i32 %n) {
entry:
  %base = icmp sle i32 %n, 1
  br i1 %base, label %done, label %again
again:
  %less = sub i32 %n, 1
  %rest = call double @power(double %x, i32 %less)
  %all = fmul double %rest, %x
  br label %done
done:
  %r = phi double [ %x, %entry ], [ %all, %again ]
  ret double %r
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @power, double %x, double 1.0, i32 5)
  ret double %r
}
; CHECK: define internal { double, double } [[FN:@[^(]*]](double %x, double %x.tan, i32 %n)
; CHECK:   [[BOTH:%.*]] = call { double, double } [[FN]](double %x, double %x.tan, i32 %less)
; CHECK:   %rest = extractvalue { double, double } [[BOTH]], 0
; CHECK:   %rest.tan = extractvalue { double, double } [[BOTH]], 1
; CHECK:   %r.tan = phi double [ %x.tan, %entry ], [ %all.tan, %again ]
