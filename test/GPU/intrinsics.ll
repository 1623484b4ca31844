; Intrinsics of GPUs have the rules of what they compute; functions that only the derivative needs come
; from the machine's library.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define double @slope(
; CHECK: call {{.*}}double @__nv_cos(
define double @slope(double %x) {
  %d = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
define double @f(double %x) {
  %s = call double @__nv_sin(double %x)
  %m = call double @llvm.nvvm.mul.rn.d(double %s, double %x)
  %a = call double @llvm.nvvm.fma.rz.d(double %m, double %x, double %s)
  ret double %a
}

; CHECK-LABEL: define float @slope_f(
; CHECK: call {{.*}}float @__nv_sinf(
define float @slope_f(float %x) {
  %d = call float @__enzyme_autodiff(ptr @g, float %x)
  ret float %d
}
define float @g(float %x) {
  %s = call float @llvm.nvvm.cos.approx.ftz.f(float %x)
  %r = call float @llvm.nvvm.rcp.rn.f(float %s)
  %q = call float @llvm.nvvm.rsqrt.approx.f(float %r)
  ret float %q
}
declare double @__enzyme_autodiff(ptr, ...)
declare double @__nv_sin(double)
