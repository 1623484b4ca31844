; Numbers copied from a constant table do not vary: the shadow is filled with zeros.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

@table = private constant [2 x double] [double 1.0, double 2.0]

define void @f(double %x, ptr %out) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %out, ptr align 8 @table, i64 16, i1 false)
  store double %x, ptr %out, align 8
  ret void
}

declare void @__enzyme_fwddiff(ptr, ...)
define void @df(double %x, ptr %p, ptr %dp) {
  call void (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, ptr %p, ptr %dp)
  ret void
}
; CHECK: @table.shadow = private constant [2 x double] zeroinitializer
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %out.shadow, ptr align 8 @table.shadow, i64 16, i1 false)
; CHECK: store double %x.tan, ptr %out.shadow, align 8
