; Vectors: shuffles, insertions and the sum of lanes are linear, their tangent is the
; same operation.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(<2 x double> %v, double %x) {
  %s = shufflevector <2 x double> %v, <2 x double> poison, <4 x i32> <i32 0, i32 1, i32 1, i32 0>
  %w = insertelement <4 x double> %s, double %x, i32 2
  %r = call reassoc double @llvm.vector.reduce.fadd.v4f64(double 1.0, <4 x double> %w)
  ret double %r
}
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(<2 x double> %v, <2 x double> %dv, double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, <2 x double> %v, <2 x double> %dv, double %x, double 1.0)
  ret double %r
}
; CHECK: %s.tan = shufflevector <2 x double> %v.tan, <2 x double> poison, <4 x i32> <i32 0, i32 1, i32 1, i32 0>
; CHECK: %w.tan = insertelement <4 x double> %s.tan, double %x.tan, i32 2
; CHECK: %r.tan = call reassoc double @llvm.vector.reduce.fadd.v4f64(double 0.000000e+00, <4 x double> %w.tan)
