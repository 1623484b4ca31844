; The reverse of memset clears the shadow, that of memcpy adds what the copy's shadow holds to the
; original's, and clears it.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define void @f(ptr noalias %x, ptr noalias %y) {
  %v = load <4 x double>, ptr %x
  %w = fadd <4 x double> %v, %v
  store <4 x double> %w, ptr %x
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %y, ptr align 8 %x, i64 32, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %x, i8 0, i64 32, i1 false)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
define void @df(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; CHECK:      rev.:
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr %x.shadow, i8 0, i64 32, i1 false)
; CHECK-NEXT: call void @isozyme.copy.adjoint.double(ptr %y.shadow, ptr %x.shadow, i64 1, i64 0, i64 4)
; CHECK:      load <4 x double>, ptr %x.shadow
