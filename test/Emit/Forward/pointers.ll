; A pointer loaded from shadow memory is the shadow of the pointer loaded from primal
; memory; what was promised of the primal alone is not promised of it.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(ptr %pp) {
  %p = load ptr, ptr %pp, align 8, !nonnull !0, !noundef !0
  %x = load double, ptr %p, align 8
  ret double %x
}
!0 = !{}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %p, ptr %dp)
  ret double %r
}
; CHECK: %p.shadow = load ptr, ptr %pp.shadow, align 8{{$}}
; CHECK: %x.tan = load double, ptr %p.shadow, align 8
