; A number is moved in two pieces, one of them a char of a record: neither is an integer. They were, where something else
; moves the rest, or where nothing but the double that they become tells what they are, and the number had no derivative.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @put
; CHECK: %first: unknown
define void @put(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->const" {
  %v = load double, ptr %from, !tbaa !3
  %w = fmul double %v, %v
  store double %w, ptr %from, !tbaa !3
  %first = load i8, ptr %from, !tbaa !4
  store i8 %first, ptr %to, !tbaa !5
  %rest.to = getelementptr inbounds nuw i8, ptr %to, i64 1
  %rest.from = getelementptr inbounds nuw i8, ptr %from, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %rest.to, ptr %rest.from, i64 7, i1 false)
  ret void
}

; CHECK-LABEL: types of @get
; CHECK: %low: unknown
; CHECK: %rest: unknown
define double @get(ptr %from) "isozyme-request"="reverse(dup)->active" {
  %first = load i8, ptr %from, !tbaa !5
  %low = zext i8 %first to i64
  %rest.from = getelementptr inbounds nuw i8, ptr %from, i64 1
  %rest = load i56, ptr %rest.from, align 1
  %wide = zext i56 %rest to i64
  %high = shl nuw i64 %wide, 8
  %bits = or disjoint i64 %high, %low
  %v = bitcast i64 %bits to double
  ret double %v
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{!"root"}
!1 = !{!"omnipotent char", !0}
!2 = !{!"double", !1}
!3 = !{!2, !2, i64 0}
!4 = !{!1, !1, i64 0}
!5 = !{!6, !1, i64 0}
!6 = !{!"piece", !1, i64 0, !1, i64 1}
