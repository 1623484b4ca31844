; Where the shadow may be the memory itself, adjoints go to scratch memory and none is taken.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

; CHECK-LABEL: define internal void @reverse.f(
; CHECK: %p.shadow = select i1 %c, ptr %a.shadow, ptr %b
; CHECK: [[OWN:%.*]] = icmp eq ptr %p.shadow, %p
; CHECK: [[AT:%.*]] = select i1 [[OWN]], ptr [[SCRATCH:%.*]], ptr %p.shadow
; CHECK: [[ADJ:%.*]] = load double, ptr [[AT]]
; CHECK: select i1 [[OWN]], double 0.000000e+00, double [[ADJ]]
; CHECK: store double 0.000000e+00, ptr [[AT]]
; CHECK: [[AT2:%.*]] = select i1 {{.*}}, ptr [[SCRATCH]], ptr %p.shadow
; CHECK: [[OLD:%.*]] = load double, ptr [[AT2]]
; CHECK: [[SUM:%.*]] = fadd reassoc nsz contract double [[OLD]]
; CHECK: store double [[SUM]], ptr [[AT2]]
define double @f(ptr %a, ptr %b, i1 %c) {
  %p = select i1 %c, ptr %a, ptr %b
  %v = load double, ptr %p
  %m = fmul double %v, %v
  store double %m, ptr %p
  ret double %m
}
define void @call(ptr %a, ptr %da, ptr %b, i1 %c) {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %a, ptr %da, metadata !"enzyme_const", ptr %b, i1 %c)
  ret void
}
declare void @__enzyme_autodiff(...)
