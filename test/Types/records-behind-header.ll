; A header of integers, and behind it elements as large that are only moved: that the header holds integers says nothing
; of the elements. They were taken for integers, and numbers among them had no derivative.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @records
; CHECK: %to -> unknown
; CHECK: copy of 16 bytes at %from: every 16: {0..16 unknown}
define double @records(ptr %header, ptr %to, i64 %k) "isozyme-request"="reverse(dup,dup,const)->active" {
  %at = getelementptr i8, ptr %header, i64 8
  %count = load i64, ptr %at, !tbaa !3
  %from = getelementptr [16 x i8], ptr %header, i64 %k
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %r = sitofp i64 %count to double
  ret double %r
}

; CHECK-LABEL: types of @words
; CHECK: %word: unknown
define double @words(ptr %header, ptr %to, i64 %k) "isozyme-request"="reverse(dup,dup,const)->active" {
  %count = load i64, ptr %header, !tbaa !3
  %from = getelementptr [8 x i8], ptr %header, i64 %k
  %word = load i64, ptr %from
  store i64 %word, ptr %to
  %r = sitofp i64 %count to double
  ret double %r
}

; What the source names an integer is one.
; CHECK-LABEL: types of @named
; CHECK: copy of 16 bytes at %from: every 16: {0..16 integer}
define double @named(ptr %header, ptr %to, i64 %k) "isozyme-request"="reverse(dup,dup,const)->active" {
  %from = getelementptr [16 x i8], ptr %header, i64 %k
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %any = getelementptr [8 x i8], ptr %header, i64 %k
  %size = load i64, ptr %any, !tbaa !4
  %r = sitofp i64 %size to double
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{!"root"}
!1 = !{!"omnipotent char", !0}
!2 = !{!"long", !1}
!3 = !{!5, !2, i64 8}
!4 = !{!2, !2, i64 0}
!5 = !{!"header", !2, i64 0, !2, i64 8}
