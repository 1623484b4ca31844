; The call of the derivative has the operands, the seed and the result that the marker
; call stands for; markers and entry points are gone.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s --implicit-check-not=enzyme

target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
@enzyme_dup = external global i32
@enzyme_dupv = external global i32
@enzyme_width = external global i32
@enzyme_byref = external global i32

define double @f(double %x, ptr %p) nounwind {
  %v = load double, ptr %p
  %r = fmul double %x, %v
  ret double %r
}
define float @narrow(float %x, i1 %b) {
  ret float %x
}
declare double @__enzyme_autodiff(...)
declare float @__enzyme_autodiff_narrow(...)
declare <2 x float> @__enzyme_fwddiff_vector(...)
declare [2 x double] @__enzyme_fwddiff(...)
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define double @reverse(
; CHECK: [[R:%.*]] = call { double } @{{.*}}(double %x, ptr %p, ptr %dp, double 1.000000e+00)
; CHECK-NEXT: %g = extractvalue { double } [[R]], 0
define double @reverse(double %x, ptr %p, ptr %dp) {
  %act = load i32, ptr @enzyme_dup
  %g = call double (...) @__enzyme_autodiff(ptr @f, double %x, i32 %act, ptr %p, ptr %dp)
  ret double %g
}

; CHECK-LABEL: define [2 x double] @strided(
; CHECK: [[S:%.*]] = getelementptr i8, ptr %dp, i64 24
; CHECK: call { [2 x double] } @{{.*}}(double %x, double 1.000000e+00, double 2.000000e+00, ptr %p, ptr %dp, ptr [[S]])
define [2 x double] @strided(double %x, ptr %p, ptr %dp) {
  %t = call [2 x double] (...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_width, i32 2, double %x, double 1.0, double 2.0, ptr @enzyme_dupv, i64 24, ptr %p, ptr %dp)
  ret [2 x double] %t
}

; CHECK-LABEL: define float @demoted(
; CHECK: [[X:%.*]] = fptrunc double %x to float
; CHECK: [[B:%.*]] = trunc i32 %b to i1
; CHECK: call { float } @{{.*}}(float [[X]], i1 [[B]], float 1.000000e+00)
define float @demoted(double %x, i32 %b) {
  %g = call float (...) @__enzyme_autodiff_narrow(ptr @narrow, double %x, i32 %b)
  ret float %g
}

; CHECK-LABEL: define <2 x float> @lanes(
; CHECK: [[T:%.*]] = call { [2 x float] } @
; CHECK: [[L0:%.*]] = extractvalue { [2 x float] } [[T]], 0, 0
; CHECK: insertelement <2 x float> poison, float [[L0]], i64 0
define <2 x float> @lanes(ptr %x, i1 %b) {
  %t = call <2 x float> (...) @__enzyme_fwddiff_vector(ptr @narrow, ptr @enzyme_width, i32 2, ptr @enzyme_byref, i64 4, ptr %x, float 1.0, float 2.0, i1 %b)
  ret <2 x float> %t
}

; What cannot unwind needs no edge for it.
; CHECK-LABEL: define double @unwinds(
; CHECK: call { double }
; CHECK: %g = extractvalue
; CHECK-NEXT: br label %ok
define double @unwinds(double %x, ptr %p, ptr %dp) personality ptr @__gxx_personality_v0 {
  %g = invoke double (...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %dp)
    to label %ok unwind label %failed
ok:
  ret double %g
failed:
  %pad = landingpad { ptr, i32 } cleanup
  ret double 0.0
}
