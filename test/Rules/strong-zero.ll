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

; A factor that a long sum of finite numbers makes needs no guard. With a quotient at its start it does.
; CHECK-LABEL: define double @dLongSum(
; CHECK-NOT:   select
; CHECK:       ret double
define double @dLongSum(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @longSum, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

; CHECK-LABEL: define double @dQuotientFirst(
; CHECK:       select
; CHECK:       ret double
define double @dQuotientFirst(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @quotientFirst, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

define double @longSum(double %x, double %y) {
  %s = fmul double %y, %y
  %a0 = fadd double %s, %y
  %a1 = fadd double %a0, %y
  %a2 = fadd double %a1, %y
  %a3 = fadd double %a2, %y
  %a4 = fadd double %a3, %y
  %a5 = fadd double %a4, %y
  %a6 = fadd double %a5, %y
  %a7 = fadd double %a6, %y
  %a8 = fadd double %a7, %y
  %a9 = fadd double %a8, %y
  %r = fmul double %a9, %x
  ret double %r
}

define double @quotientFirst(double %x, double %y) {
  %s = fdiv double 1.0, %y
  %a0 = fadd double %s, %y
  %a1 = fadd double %a0, %y
  %a2 = fadd double %a1, %y
  %a3 = fadd double %a2, %y
  %a4 = fadd double %a3, %y
  %a5 = fadd double %a4, %y
  %a6 = fadd double %a5, %y
  %a7 = fadd double %a6, %y
  %a8 = fadd double %a7, %y
  %a9 = fadd double %a8, %y
  %r = fmul double %a9, %x
  ret double %r
}

declare double @log(double)
declare double @sin(double)
declare double @__enzyme_fwddiff(...)
