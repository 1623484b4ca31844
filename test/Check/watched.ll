; A copy announces what memory it uses, and the call of the derivative stands between two others.
; RUN: %opt -isozyme-check -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
; CHECK-LABEL: define void @main
; CHECK: %check = call ptr @__isozyme_check_begin(ptr @isozyme.check{{[.0-9]*}}, ptr %check.frame)
; CHECK-NEXT: call void @reverse.f(ptr %x, ptr %dx, ptr %c, double 1.000000e+00)
; CHECK-NEXT: call void @__isozyme_check_end(ptr %check, ptr %check.frame)
; CHECK-LABEL: define internal double @f.watched.
; CHECK-NEXT: %local
; CHECK-NEXT: call void @__isozyme_check_touch(ptr %x, i64 8, i32 2)
; CHECK-NEXT: %a = load double, ptr %x
; CHECK: call void @__isozyme_check_touch(ptr %c, i64 4, i32 1)
; CHECK-NEXT: %b = load float, ptr %c
; CHECK-NOT: touch
; CHECK: store double %a, ptr %local
; CHECK: call void @__isozyme_check_allocated(ptr %m, i64 8)
; CHECK: call void @__isozyme_check_freed(ptr %m)
; CHECK-NEXT: call void @free(ptr %m)
; CHECK-LABEL: define internal {{.*}} @forward.f.watched
; CHECK: call void @forward.__isozyme_check_touch(ptr %x, ptr %x.shadow, i64 8, i32 2)
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@enzyme_const = external global i32
declare void @__enzyme_autodiff(...)
declare ptr @malloc(i64)
declare void @free(ptr)

define double @f(ptr %x, ptr %c) {
  %local = alloca double
  %a = load double, ptr %x, !tbaa !0
  %b = load float, ptr %c, !tbaa !3
  store double %a, ptr %local, !tbaa !0
  %m = call ptr @malloc(i64 8)
  call void @free(ptr %m)
  %w = fpext float %b to double
  %l = load double, ptr %local, !tbaa !0
  %r = fmul double %l, %w
  ret double %r
}

define void @main(ptr %x, ptr %dx, ptr %c) {
  %k = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i32 %k, ptr %c)
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"C"}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !2}
