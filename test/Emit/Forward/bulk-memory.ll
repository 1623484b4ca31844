; memcpy is repeated on the shadows; memset makes the tangents zero, whatever the byte.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q, ptr align 8 %p, i64 32, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %p, i8 1, i64 32, i1 false)
  %x = load double, ptr %q, align 8
  %y = load double, ptr %p, align 8
  %s = fmul double %x, %y
  ret double %s
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(ptr %p, ptr %dp, ptr %q, ptr %dq) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %p, ptr %dp, ptr %q, ptr %dq)
  ret double %r
}
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %q.shadow, ptr align 8 %p.shadow, i64 32, i1 false)
; CHECK: call void @llvm.memset.p0.i64(ptr align 8 %p.shadow, i8 0, i64 32, i1 false)
