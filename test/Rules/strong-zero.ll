; A zero derivative stays zero where the partial may be infinite: log gets a guard, sin gets none.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s
; RUN: %opt -passes=autodiff -isozyme-strong-zero=0 -S %s | FileCheck %s --check-prefix=OFF

; CHECK-LABEL: define double @dlog(
; CHECK:       %[[D:.*]] = fdiv double %dx, %x
; CHECK:       %[[Z:.*]] = fcmp oeq double %dx, 0.000000e+00
; CHECK:       select i1 %[[Z]], double 0.000000e+00, double %[[D]]
; OFF-LABEL:   define double @dlog(
; OFF-NOT:     select
; OFF:         ret double
define double @dlog(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dsin(
; CHECK-NOT:   select
; CHECK:       ret double
define double @dsin(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @g, double %x, double %dx)
  ret double %d
}

define double @f(double %x) {
  %y = call double @log(double %x)
  ret double %y
}

define double @g(double %x) {
  %y = call double @sin(double %x)
  ret double %y
}

declare double @log(double)
declare double @sin(double)
declare double @__enzyme_fwddiff(...)
