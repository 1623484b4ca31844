; ROCm's fast functions are those that they stand for, and its Bessel functions call one another, as
; it has no others. CUDA's saturation is one between 0 and 1.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

; CHECK-LABEL: define {{.*}}@forward.nativeSine(
; CHECK: call {{.*}}float @__ocml_cos_f32(
define float @nativeSine(float %x) {
  %y = call float @__ocml_native_sin_f32(float %x)
  ret float %y
}
; CHECK-LABEL: define {{.*}}@forward.nativeReciprocal(
; CHECK: [[Y:%.*]] = call float @__ocml_native_rcp_f32(
; CHECK: [[TY:%.*]] = fmul reassoc nsz contract float %x.tan, [[Y]]
; CHECK: fmul reassoc nsz contract float [[TY]], [[Y]]
define float @nativeReciprocal(float %x) {
  %y = call float @__ocml_native_rcp_f32(float %x)
  ret float %y
}
; CHECK-LABEL: define {{.*}}@forward.nativeExp10(
; CHECK: fmul float {{.*}}, 0x40026BB1C0000000
define float @nativeExp10(float %x) {
  %y = call float @__ocml_native_exp10_f32(float %x)
  ret float %y
}
; CHECK-LABEL: define {{.*}}@forward.nativeRoots(
; CHECK-DAG: fdiv float
; CHECK-DAG: fdiv float
define float @nativeRoots(float %x) {
  %r = call float @__ocml_native_rsqrt_f32(float %x)
  %s = call float @__ocml_native_sqrt_f32(float %x)
  %y = fadd float %r, %s
  ret float %y
}
; CHECK-LABEL: define {{.*}}@forward.bessel(
; CHECK: call {{.*}}double @__ocml_i1_f64(
define double @bessel(double %x) {
  %y = call double @__ocml_i0_f64(double %x)
  ret double %y
}
; CHECK-LABEL: define {{.*}}@forward.besselOfCuda(
; CHECK: call {{.*}}double @__nv_cyl_bessel_i0(
define double @besselOfCuda(double %x) {
  %y = call double @__nv_cyl_bessel_i1(double %x)
  ret double %y
}
; CHECK-LABEL: define {{.*}}@forward.saturate(
; CHECK: [[Y:%.*]] = call float @__nv_saturatef(float %x)
; CHECK: fcmp oeq float [[Y]], %x
; CHECK: select
define float @saturate(float %x) {
  %y = call float @__nv_saturatef(float %x)
  ret float %y
}
declare float @__ocml_native_sin_f32(float)
declare float @__ocml_native_rcp_f32(float)
declare float @__ocml_native_exp10_f32(float)
declare float @__ocml_native_rsqrt_f32(float)
declare float @__ocml_native_sqrt_f32(float)
declare double @__ocml_i0_f64(double)
declare double @__nv_cyl_bessel_i1(double)
declare float @__nv_saturatef(float)

define void @requests(float %a, double %b) {
  %1 = call float (...) @__enzyme_fwddiff.a(ptr @nativeSine, float %a, float %a)
  %2 = call float (...) @__enzyme_fwddiff.a(ptr @nativeReciprocal, float %a, float %a)
  %3 = call float (...) @__enzyme_fwddiff.a(ptr @nativeExp10, float %a, float %a)
  %4 = call float (...) @__enzyme_fwddiff.a(ptr @nativeRoots, float %a, float %a)
  %5 = call double (...) @__enzyme_fwddiff.b(ptr @bessel, double %b, double %b)
  %6 = call double (...) @__enzyme_fwddiff.b(ptr @besselOfCuda, double %b, double %b)
  %7 = call float (...) @__enzyme_fwddiff.a(ptr @saturate, float %a, float %a)
  ret void
}
declare float @__enzyme_fwddiff.a(...)
declare double @__enzyme_fwddiff.b(...)
