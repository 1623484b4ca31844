; Sine and cosine by one call, in the forms of several libraries.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @forms
; CHECK: call float @__nv_sinpif(float %f)
; CHECK: call float @__nv_cospif(float %f)
; CHECK: call float @__nv_sinf(float %f)
; CHECK: call float @__nv_cosf(float %f)
; CHECK: call double @__ocml_sin_f64(double %x)
; CHECK: call double @__ocml_cos_f64(double %x)
; CHECK: call double @__fd_sin_1(double %x)
; CHECK: call double @__fd_cos_1(double %x)
; CHECK: call float @sinf(float %f)
; CHECK: call float @cosf(float %f)
; CHECK: call double @sinpi(double %x)
; CHECK: call double @cospi(double %x)
define void @forms(double %x, float %f, ptr %p, ptr %q, ptr %r) {
  call void @__nv_sincospif(float %f, ptr %p, ptr %q)
  call void @__nv_fast_sincosf(float %f, ptr %p, ptr %q)
  %s = call double @__ocml_sincos_f64(double %x, ptr %q)
  store double %s, ptr %r
  %t = call { double, double } @__fd_sincos_1(double %x)
  %t0 = extractvalue { double, double } %t, 0
  %t1 = extractvalue { double, double } %t, 1
  store double %t0, ptr %p
  store double %t1, ptr %q
  %u = call { float, float } @__sincosf_stret(float %f)
  %u0 = extractvalue { float, float } %u, 0
  %u1 = extractvalue { float, float } %u, 1
  store float %u0, ptr %p
  store float %u1, ptr %q
  %v = call { double, double } @llvm.sincospi.f64(double %x)
  %v0 = extractvalue { double, double } %v, 0
  %v1 = extractvalue { double, double } %v, 1
  store double %v0, ptr %p
  store double %v1, ptr %q
  ret void
}
declare void @__nv_sincospif(float, ptr, ptr)
declare void @__nv_fast_sincosf(float, ptr, ptr)
declare double @__ocml_sincos_f64(double, ptr)
declare { double, double } @__fd_sincos_1(double)
declare { float, float } @__sincosf_stret(float)
