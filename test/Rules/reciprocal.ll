; The derivative of 1 / x comes from the result, without a division. That of a root divides by the root alone: the
; division does not wait for what is differentiated before.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s

; CHECK-LABEL: define double @dOne(
; CHECK:       fdiv double 1.000000e+00, %x
; CHECK-NOT:   fdiv
; CHECK:       ret double
define double @dOne(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @one, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dTwo(
; CHECK:       fdiv double %dx, %x
define double @dTwo(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @two, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dRoot(
; CHECK:       %[[R:.*]] = tail call double @llvm.sqrt.f64(double %x)
; CHECK:       %[[C:.*]] = fdiv double 5.000000e-01, %[[R]]
; CHECK:       fmul reassoc nsz double {{%dx, %|%}}[[C]]
define double @dRoot(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @root, double %x, double %dx)
  ret double %d
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
