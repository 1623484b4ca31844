; The derivative of lgamma takes logarithms and tangents from the library of the GPU, which has no intrinsics for them.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=NVIDIA
; RUN: sed 's/nvptx64-nvidia-cuda/amdgcn-amd-amdhsa/;s/__nv_lgamma/__ocml_lgamma_f64/' %s | %opt -passes=autodiff -S - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; NVIDIA-NOT: @llvm.log
; NVIDIA-DAG: call double @__nv_log(
; NVIDIA-DAG: call double @__nv_tan(
; CHECK-NOT: @llvm.log
; CHECK-NOT: @llvm.tan
; CHECK-DAG: call double @__ocml_log_f64(
; CHECK-DAG: call double @__ocml_tan_f64(
define double @f(double %x) {
  %y = call double @__nv_lgamma(double %x)
  ret double %y
}
define double @slope(double %x) {
  %d = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
declare double @__nv_lgamma(double)
declare double @__enzyme_autodiff(ptr, ...)
