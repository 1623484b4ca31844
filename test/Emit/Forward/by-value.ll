; A parameter passed by value that is written: the derivative copies it, and its shadow.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

%s = type { [4 x double] }

define double @f(ptr byval(%s) align 8 %a, i64 %i) {
  %x = load double, ptr %a, align 8
  %y = fmul double %x, %x
  %p = getelementptr inbounds double, ptr %a, i64 %i
  store double %y, ptr %p, align 8
  %q = getelementptr inbounds i8, ptr %a, i64 8
  %r = load double, ptr %q, align 8
  ret double %r
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(ptr %a, ptr %da, i64 %i) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %a, ptr %da, i64 %i)
  ret double %r
}
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a.copy, ptr align 8 %a, i64 32, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a.copy.shadow, ptr align 8 %a.shadow, i64 32, i1 false)
; CHECK: store double %y.tan, ptr %p.shadow, align 8
