; A double that a function only stores in a union, or reads from one, may be an address: it goes through memory, as an
; integer. One that is stored as a number does not.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define internal void @put(ptr %to, double %v) noinline {
  store double %v, ptr %to, !tbaa !1
  ret void
}
define internal double @get(ptr %from) noinline {
  %v = load double, ptr %from, !tbaa !1
  ret double %v
}
define internal void @set(ptr %to, double %v) noinline {
  store double %v, ptr %to, !tbaa !3
  ret void
}

; CHECK-LABEL: define {{.*}}@f.prepared(
; CHECK: call void @get.by.memory(ptr %[[SLOT:.*]], ptr %u)
; CHECK: call void @put.by.memory(ptr %to, ptr
; CHECK: call void @set(ptr %p, double
define double @f(ptr %p, ptr %u, ptr %to, double %x) {
  %v = call double @get(ptr %u)
  call void @put(ptr %to, double %v)
  call void @set(ptr %p, double %x)
  %a = load ptr, ptr %to, !tbaa !1
  %r = load double, ptr %a, !tbaa !3
  ret double %r
}
declare double @__enzyme_autodiff(...)
define double @d(ptr %p, ptr %dp, ptr %u, ptr %du, ptr %to, ptr %dto) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, ptr %u, ptr %du, ptr %to, ptr %dto, double 1.0)
  ret double %r
}
!0 = !{!"root"}
!1 = !{!2, !2, i64 0}
!2 = !{!"omnipotent char", !0, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"double", !2, i64 0}
