; Doubles that are moved as pairs of 32-bit integers are moved whole; lanes that nobody reads get a
; value, for a derivative multiplies by what stands beside them.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: define {{.*}}@f.prepared
define double @f(ptr %p) {
  %v = load <2 x double>, ptr %p
  ; CHECK: [[WIDE:%.*]] = bitcast <4 x i32> {{.*}} to <2 x i64>
  ; CHECK: shufflevector <2 x i64> [[WIDE]], <2 x i64> {{.*}}, <2 x i32> <i32 1, i32 1>
  %i = load <4 x i32>, ptr %p
  %s = shufflevector <4 x i32> %i, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 2, i32 3>
  %d = bitcast <4 x i32> %s to <2 x double>
  ; CHECK: fmul <2 x double> %v, <double 3.000000e+00, double 0.000000e+00>
  %t = fmul <2 x double> %v, <double 3.0, double poison>
  ; CHECK: shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> <i32 1, i32 1>
  %u = shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
  %x = fadd <2 x double> %t, %u
  %y = fmul <2 x double> %x, %d
  ; CHECK: insertelement <2 x double> zeroinitializer, double
  %e = extractelement <2 x double> %y, i64 0
  %z = insertelement <2 x double> poison, double %e, i64 0
  %w = fmul <2 x double> %z, %v
  %r = extractelement <2 x double> %w, i64 0
  ret double %r
}
declare void @__enzyme_autodiff(ptr, ...)
define void @df(ptr %p, ptr %dp) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp)
  ret void
}
