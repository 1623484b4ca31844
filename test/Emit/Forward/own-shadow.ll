; Where the shadow may be the memory itself, that is compared: zero is read, and what is
; written is what the memory holds already.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

; CHECK-LABEL: define internal { double } @forward.f(
; CHECK: %p.shadow = select i1 %c, ptr %a.shadow, ptr %b
; CHECK: %v.tan = load double, ptr %p.shadow
; CHECK: [[OWN:%.*]] = icmp eq ptr %p.shadow, %p
; CHECK: select i1 [[OWN]], double 0.000000e+00, double %v.tan
; CHECK: store double %m, ptr %p
; CHECK: [[OWN2:%.*]] = icmp eq ptr %p.shadow, %p
; CHECK: [[T:%.*]] = select i1 [[OWN2]], double %m, double %m.tan
; CHECK: store double [[T]], ptr %p.shadow
define double @f(ptr %a, ptr %b, i1 %c) {
  %p = select i1 %c, ptr %a, ptr %b
  %v = load double, ptr %p
  %m = fmul double %v, %v
  store double %m, ptr %p
  ret double %m
}
define double @call(ptr %a, ptr %da, ptr %b, i1 %c) {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, metadata !"enzyme_dup", ptr %a, ptr %da, metadata !"enzyme_const", ptr %b, i1 %c)
  ret double %r
}
declare double @__enzyme_fwddiff(...)
