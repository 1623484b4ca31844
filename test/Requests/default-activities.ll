; Without markers the activity follows from the type, and differs between the modes.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: reverse(@f: active double, dup ptr, const i64, active <2 x float>) -> active, width 1
; CHECK-NEXT: forward(@f: dup double, dup ptr, const i64, dup <2 x float>) -> dup, width 1
; CHECK-NEXT: reverse(@mixed: dup { double, ptr }, active [2 x double], const { i32, i64 }) -> const, width 1
; CHECK-NEXT: reverse(@pointer: const i32) -> dup, width 1

define double @f(double %x, ptr %p, i64 %n, <2 x float> %v) {
  ret double %x
}
define void @mixed({ double, ptr } %m, [2 x double] %a, { i32, i64 } %i) {
  ret void
}
define ptr @pointer(i32 %n) {
  ret ptr null
}
declare {double, <2 x float>} @__enzyme_autodiff_f(...)
declare double @my__enzyme_fwddiff2(...)
declare [2 x double] @_Z17__enzyme_autodiffv(...)
declare void @__enzyme_autodiff(...)

define void @caller(double %x, ptr %p, <2 x float> %v, { double, ptr } %m, [2 x double] %a, { i32, i64 } %i) {
  call {double, <2 x float>} (...) @__enzyme_autodiff_f(ptr @f, double %x, ptr %p, ptr %p, i64 1, <2 x float> %v)
  call double (...) @my__enzyme_fwddiff2(ptr @f, double %x, double %x, ptr %p, ptr %p, i64 1, <2 x float> %v, <2 x float> %v)
  call [2 x double] (...) @_Z17__enzyme_autodiffv(ptr @mixed, { double, ptr } %m, { double, ptr } %m, [2 x double] %a, { i32, i64 } %i)
  call void (...) @__enzyme_autodiff(ptr @pointer, i32 1)
  ret void
}
