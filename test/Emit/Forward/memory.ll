; Shadow memory holds the tangents of what primal memory holds: a load has one from
; there, a store puts one there, and a number that does not vary puts zero there.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define void @f(ptr %p, double %c) {
  %x = load double, ptr %p, align 8
  %y = fmul double %x, %c
  %q = getelementptr inbounds double, ptr %p, i64 1
  store double %y, ptr %q, align 8
  store double %c, ptr %p, align 8
  ret void
}

@enzyme_const = external global i32
@enzyme_dup = external global i32
declare void @__enzyme_fwddiff(ptr, ...)
define void @df(ptr %p, ptr %dp, double %c) {
  call void (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_dup, ptr %p, ptr %dp, ptr @enzyme_const, double %c)
  ret void
}
; CHECK: define internal void @{{.*}}(ptr %p, ptr %p.shadow, double %c)
; CHECK:   %x.tan = load double, ptr %p.shadow, align 8
; CHECK:   %q.shadow = getelementptr inbounds double, ptr %p.shadow, i64 1
; CHECK:   store double %y, ptr %q, align 8
; CHECK:   store double %y.tan, ptr %q.shadow, align 8
; CHECK:   store double %c, ptr %p, align 8
; CHECK:   store double 0.000000e+00, ptr %p.shadow, align 8
