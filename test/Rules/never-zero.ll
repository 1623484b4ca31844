; The rule of sqrt asks whether the root is zero. Of x * x + 0.05 it never is.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s

; CHECK-LABEL: define double @dsoft(
; CHECK-NOT:   select
; CHECK-NOT:   fcmp
; CHECK:       ret double
define double @dsoft(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @soft, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dhard(
; CHECK:       select
; CHECK:       ret double
define double @dhard(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @hard, double %x, double %dx)
  ret double %d
}

; A difference may be.
; CHECK-LABEL: define double @dless(
; CHECK:       select
; CHECK:       ret double
define double @dless(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @less, double %x, double %dx)
  ret double %d
}

define double @soft(double %x) {
  %s = fmul double %x, %x
  %a = fadd double %s, 5.0e-2
  %y = call double @llvm.sqrt.f64(double %a)
  ret double %y
}

define double @hard(double %x) {
  %s = fmul double %x, %x
  %y = call double @llvm.sqrt.f64(double %s)
  ret double %y
}

define double @less(double %x) {
  %s = fmul double %x, %x
  %a = fsub double %s, 5.0e-2
  %y = call double @llvm.sqrt.f64(double %a)
  ret double %y
}

declare double @llvm.sqrt.f64(double)
declare double @__enzyme_fwddiff(...)
