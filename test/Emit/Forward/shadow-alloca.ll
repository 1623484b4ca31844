; A local array has a zeroed shadow, made in the entry block.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x, i64 %i, i64 %j) {
  %a = alloca [4 x double], align 16
  %p = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %p, align 8
  %q = getelementptr inbounds double, ptr %a, i64 %j
  %y = load double, ptr %q, align 8
  ret double %y
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x, i64 %i, i64 %j) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, i64 %i, i64 %j)
  ret double %r
}
; CHECK: %a.shadow = alloca [4 x double], align 16
; CHECK: call void @llvm.memset.p0.i64(ptr align 16 %a.shadow, i8 0, i64 32, i1 false)
; CHECK: store double %x.tan, ptr %p.shadow, align 8
; CHECK: %y.tan = load double, ptr %q.shadow, align 8
