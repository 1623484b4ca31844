; An atomic addition is one on the shadow too, with the same ordering.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define void @f(ptr %p, double %x) {
  %old = atomicrmw fadd ptr %p, double %x monotonic, align 8
  ret void
}

declare void @__enzyme_fwddiff(ptr, ...)
define void @df(ptr %p, ptr %dp, double %x) {
  call void (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %p, ptr %dp, double %x, double 1.0)
  ret void
}
; CHECK: atomicrmw fadd ptr %p, double %x monotonic, align 8
; CHECK: atomicrmw fadd ptr %p.shadow, double %x.tan monotonic, align 8
