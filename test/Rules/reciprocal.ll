; The derivative of 1 / x comes from the result, without a division. That of a root divides by the root alone: the
; division does not wait for what is differentiated before. Nor does that of a quotient, and all lanes share it; where
; the order of the source is asked for, each divides.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s
; RUN: %opt -passes=autodiff -isozyme-adjoint-order=source -S %s | FileCheck %s --check-prefix=SOURCE

; CHECK-LABEL: define double @dOne(
; CHECK:       fdiv double 1.000000e+00, %x
; CHECK-NOT:   fdiv
; CHECK:       ret double
define double @dOne(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @one, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dTwo(
; CHECK:       %[[I:.*]] = fdiv double 1.000000e+00, %x
; CHECK:       fmul double %dx, %[[I]]
; SOURCE-LABEL: define double @dTwo(
; SOURCE:       fdiv double %dx, %x
define double @dTwo(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @two, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dRoot(
; CHECK:       %[[R:.*]] = tail call double @llvm.sqrt.f64(double %x)
; CHECK:       %[[C:.*]] = fdiv double 5.000000e-01, %[[R]]
; CHECK:       fmul reassoc nsz contract double {{%dx, %|%}}[[C]]
define double @dRoot(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @root, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dLanes(
; CHECK:       %[[I:.*]] = fdiv double 1.000000e+00, %y
; CHECK-NOT:   fdiv
; CHECK:       ret double
define double @dLanes(double %x, double %y) {
  %d = call [2 x double] (...) @__enzyme_fwddiff(ptr @quotient, metadata !"enzyme_width", i64 2, double %x, double 1.0, double 3.0, double %y, double 5.0, double 7.0)
  %a = extractvalue [2 x double] %d, 0
  %b = extractvalue [2 x double] %d, 1
  %s = fmul double %a, %b
  ret double %s
}

define double @quotient(double %x, double %y) {
  %q = fdiv double %x, %y
  ret double %q
}
define double @one(double %x) {
  %y = fdiv double 1.0, %x
  ret double %y
}
define double @two(double %x) {
  %y = fdiv double 2.0, %x
  ret double %y
}
define double @root(double %x) {
  %y = tail call double @llvm.sqrt.f64(double %x)
  ret double %y
}
declare double @llvm.sqrt.f64(double)
declare double @__enzyme_fwddiff(...)
