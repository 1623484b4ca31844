; A function chooses in registers between the doubles that are the first members of two unions. The caller keeps an
; address in one of them: its shadow would stay behind. Unions that hold numbers only, and plain doubles, are moved.
; RUN: not %opt -passes=autodiff -disable-output %s 2>&1 | FileCheck --check-prefix=ERROR %s
; RUN: sed -e '/store ptr/d' %s | %opt -passes=autodiff -disable-output -isozyme-print-after=plan - 2>&1 | FileCheck %s
; RUN: sed -e 's/!tbaa !2/!tbaa !4/' %s | %opt -passes=autodiff -disable-output -isozyme-print-after=plan - 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; ERROR: error: {{.*}}what is moved here may be a differentiated float, or else an address or an integer; {{.*}} [IZ202]
; CHECK-LABEL: derivative plan for augment(@choose:
; CHECK: %to shadow for store
define internal void @choose(ptr %a, ptr %b, ptr %to, i1 %c) noinline {
  %x = load double, ptr %a, align 8, !tbaa !2
  %y = load double, ptr %b, align 8, !tbaa !2
  %t = select i1 %c, double %x, double %y
  store double %t, ptr %to, align 8, !tbaa !2
  ret void
}

define double @chosen(ptr %p, i1 %c) {
  %words = alloca [3 x double]
  %second = getelementptr inbounds i8, ptr %words, i64 8
  %third = getelementptr inbounds i8, ptr %words, i64 16
  %v = load double, ptr %p, !tbaa !4
  store double %v, ptr %words, !tbaa !2
  store ptr %p, ptr %second, !tbaa !2
  call void @choose(ptr %words, ptr %second, ptr %third, i1 %c)
  %w = load double, ptr %third, !tbaa !2
  %r = fmul double %w, %v
  ret double %r
}

declare void @__enzyme_autodiff(...)
define void @main(ptr %x, ptr %dx, i1 %c) {
  call void (...) @__enzyme_autodiff(ptr @chosen, ptr %x, ptr %dx, i1 %c)
  ret void
}

!0 = !{!"root"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!1, !1, i64 0}
!3 = !{!"double", !1, i64 0}
!4 = !{!3, !3, i64 0}
