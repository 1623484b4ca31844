; Vector operations are linear; their reverse sends each element back to where it came from.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(<2 x double> %v, i1 %c) {
  %t = shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> <i32 1, i32 1>
  %a = extractelement <2 x double> %t, i64 0
  %w = insertelement <2 x double> %v, double %a, i64 0
  %u = select i1 %c, <2 x double> %w, <2 x double> %v
  %s = call double @llvm.vector.reduce.fadd.v2f64(double 0.0, <2 x double> %u)
  ret double %s
}
@enzyme_const = external global i32
declare <2 x double> @__enzyme_autodiff(ptr, ...)
define <2 x double> @df(<2 x double> %v, i1 %c) {
  %g = call <2 x double> (ptr, ...) @__enzyme_autodiff(ptr @f, <2 x double> %v, ptr @enzyme_const, i1 %c)
  ret <2 x double> %g
}

; CHECK:      [[A:%.*]] = select i1 %c, <2 x double> [[SEED:%.*]], <2 x double> zeroinitializer
; CHECK-NEXT: [[B:%.*]] = select i1 %c, <2 x double> zeroinitializer, <2 x double> [[SEED]]
; CHECK-NEXT: [[KEPT:%.*]] = insertelement <2 x double> [[A]], double 0.000000e+00, i64 0
; CHECK-NEXT: [[MOVED:%.*]] = extractelement <2 x double> [[A]], i64 0
; CHECK:      insertelement <2 x double> {{.*}}, double [[MOVED]], i64 1
