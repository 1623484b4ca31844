; Functions of vector libraries are the rows of their scalar functions. Derivatives call the same
; library, or what LLVM makes of vectors where that library may lack the function.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s


; CHECK-LABEL: define {{.*}}@forward.glibc(
; CHECK: call <2 x double> @_ZGVbN2v_cos(<2 x double>
define <2 x double> @glibc(<2 x double> %x) {
  %y = call <2 x double> @_ZGVbN2v_sin(<2 x double> %x)
  ret <2 x double> %y
}
; CHECK-LABEL: define {{.*}}@forward.glibcPow(
; CHECK-DAG: call <4 x double> @_ZGVdN4vv_pow(
; CHECK-DAG: call <4 x double> @_ZGVdN4v_log(
define <4 x double> @glibcPow(<4 x double> %x, <4 x double> %z) {
  %y = call <4 x double> @_ZGVdN4vv_pow(<4 x double> %x, <4 x double> %z)
  ret <4 x double> %y
}
; CHECK-LABEL: define {{.*}}@forward.sleef(
; CHECK: call <8 x float> @Sleef_expf8_u10avx2(<8 x float>
define <8 x float> @sleef(<8 x float> %x) {
  %y = call <8 x float> @Sleef_erff8_u15avx2(<8 x float> %x)
  ret <8 x float> %y
}
; One number: Sleef_exp2_u10 is exp2.
; CHECK-LABEL: define {{.*}}@forward.sleefScalar(
; CHECK: fmul double {{.*}}, 0x3FE62E42FEFA39EF
define double @sleefScalar(double %x) {
  %y = call double @Sleef_exp2_u10(double %x)
  ret double %y
}
; Two elements of exp2, whose derivative reads the result alone.
; CHECK-LABEL: define {{.*}}@forward.intel(
; CHECK: fmul <2 x double> {{.*}}splat (double 0x3FE62E42FEFA39EF)
define <2 x double> @intel(<2 x double> %x) {
  %y = call <2 x double> @__svml_exp22(<2 x double> %x)
  ret <2 x double> %y
}
; CHECK-LABEL: define {{.*}}@forward.sinh(
; CHECK: call <4 x float> @llvm.cosh.v4f32(
define <4 x float> @sinh(<4 x float> %x) {
  %y = call <4 x float> @amd_vrs4_sinhf(<4 x float> %x)
  ret <4 x float> %y
}
; CHECK-LABEL: define {{.*}}@forward.flang(
; CHECK: call <4 x double> @__fd_cos_4(
define <4 x double> @flang(<4 x double> %x) {
  %y = call <4 x double> @__fd_sin_4(<4 x double> %x)
  ret <4 x double> %y
}
declare <2 x double> @_ZGVbN2v_sin(<2 x double>)
declare <4 x double> @_ZGVdN4vv_pow(<4 x double>, <4 x double>)
declare <8 x float> @Sleef_erff8_u15avx2(<8 x float>)
declare double @Sleef_exp2_u10(double)
declare <2 x double> @__svml_exp22(<2 x double>)
declare <4 x float> @amd_vrs4_sinhf(<4 x float>)
declare <4 x double> @__fd_sin_4(<4 x double>)

define void @requests(<2 x double> %a, <4 x double> %b, <8 x float> %c, double %d, <4 x float> %e) {
  %1 = call <2 x double> (...) @__enzyme_fwddiff.a(ptr @glibc, <2 x double> %a, <2 x double> %a)
  %2 = call <4 x double> (...) @__enzyme_fwddiff.b(ptr @glibcPow, <4 x double> %b, <4 x double> %b, <4 x double> %b, <4 x double> %b)
  %3 = call <8 x float> (...) @__enzyme_fwddiff.c(ptr @sleef, <8 x float> %c, <8 x float> %c)
  %4 = call double (...) @__enzyme_fwddiff.d(ptr @sleefScalar, double %d, double %d)
  %5 = call <2 x double> (...) @__enzyme_fwddiff.a(ptr @intel, <2 x double> %a, <2 x double> %a)
  %6 = call <4 x float> (...) @__enzyme_fwddiff.e(ptr @sinh, <4 x float> %e, <4 x float> %e)
  %7 = call <4 x double> (...) @__enzyme_fwddiff.b(ptr @flang, <4 x double> %b, <4 x double> %b)
  ret void
}
declare <2 x double> @__enzyme_fwddiff.a(...)
declare <4 x double> @__enzyme_fwddiff.b(...)
declare <8 x float> @__enzyme_fwddiff.c(...)
declare double @__enzyme_fwddiff.d(...)
declare <4 x float> @__enzyme_fwddiff.e(...)
