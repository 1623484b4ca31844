; The reverse of a store takes the derivative out of the shadow and leaves zero; the reverse
; of a load adds to it.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define void @f(ptr noalias %x, ptr noalias %y) {
  %v = load double, ptr %x
  %w = fmul double %v, 3.0
  store double %w, ptr %y
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
define void @df(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK:      [[DW:%.*]] = load double, ptr %y.shadow
; CHECK-NEXT: store double 0.000000e+00, ptr %y.shadow
; CHECK-NEXT: [[DV:%.*]] = fmul reassoc nsz contract double [[DW]], 3.000000e+00
; CHECK-NEXT: [[OLD:%.*]] = load double, ptr %x.shadow
; CHECK-NEXT: [[NEW:%.*]] = fadd reassoc nsz contract double [[OLD]], [[DV]]
; CHECK-NEXT: store double [[NEW]], ptr %x.shadow
