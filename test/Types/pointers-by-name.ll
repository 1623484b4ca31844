; Pointers of two kinds lie among each other, at places that are known only in steps. The source names them differently,
; so they lead to different memory: numbers here, other pointers there.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @named
; CHECK-DAG: %numbers -> every 8: {0..8 float double}
; CHECK-DAG: %next -> starts with {0..8 pointer}
define double @named(ptr %table, i64 %i, i64 %j) "isozyme-request"="reverse(dup,const,const)->active" {
  %at.numbers = getelementptr ptr, ptr %table, i64 %i
  %numbers = load ptr, ptr %at.numbers, !tbaa !10
  %at.next = getelementptr ptr, ptr %table, i64 %j
  %next = load ptr, ptr %at.next, !tbaa !11
  %after = load ptr, ptr %next, !tbaa !11
  %isLast = icmp eq ptr %after, null
  %x = load double, ptr %numbers, !tbaa !12
  %result = select i1 %isLast, double 0.0, double %x
  ret double %result
}

; A pointer without a name may be either of them.
; CHECK-LABEL: types of @unnamed
; CHECK: %numbers -> starts with {0..8 unknown
; CHECK: %next -> starts with {0..8 unknown
define double @unnamed(ptr %table, i64 %i, i64 %j) "isozyme-request"="reverse(dup,const,const)->active" {
  %at.numbers = getelementptr ptr, ptr %table, i64 %i
  %numbers = load ptr, ptr %at.numbers, !tbaa !10
  %at.next = getelementptr ptr, ptr %table, i64 %j
  %next = load ptr, ptr %at.next, !tbaa !13
  %after = load ptr, ptr %next, !tbaa !11
  %isLast = icmp eq ptr %after, null
  %x = load double, ptr %numbers, !tbaa !12
  %result = select i1 %isLast, double 0.0, double %x
  ret double %result
}

; Where all others that access the address name a pointer to integers, it is one. Null says nothing.
; CHECK-LABEL: types of @assigned
; CHECK-DAG: %numbers -> every 8: {0..8 float double}
; CHECK-DAG: %flags -> every 8: {0..8 integer}
define i64 @assigned(ptr %table, ptr %flags, i64 %i, i64 %j, i64 %k, double %x) "isozyme-request"="reverse(dup,dup,const,const,const,const)->const" {
entry:
  %at.flags = getelementptr ptr, ptr %table, i64 %j
  %isFirst = icmp eq i64 %j, 0
  br i1 %isFirst, label %first, label %next
first:
  store ptr %flags, ptr %at.flags
  br label %next
next:
  %again = load ptr, ptr %at.flags, !tbaa !14
  %word = load i64, ptr %again, !tbaa !15
  %at.none = getelementptr ptr, ptr %table, i64 %k
  store ptr null, ptr %at.none
  %at.numbers = getelementptr ptr, ptr %table, i64 %i
  %numbers = load ptr, ptr %at.numbers, !tbaa !10
  store double %x, ptr %numbers, !tbaa !12
  ret i64 %word
}

; Not where they name another, too, or a pointer to numbers.
; CHECK-LABEL: types of @eitherName
; CHECK: %flags -> starts with {0..8 float double}
define i64 @eitherName(ptr %table, ptr %flags, i64 %i, i64 %j, double %x) "isozyme-request"="reverse(dup,dup,const,const,const)->const" {
entry:
  %at.flags = getelementptr ptr, ptr %table, i64 %j
  %isFirst = icmp eq i64 %j, 0
  br i1 %isFirst, label %first, label %next
first:
  store ptr %flags, ptr %at.flags
  br label %next
next:
  %again = load ptr, ptr %at.flags, !tbaa !14
  %word = load i64, ptr %again, !tbaa !15
  store ptr null, ptr %at.flags, !tbaa !10
  %at.numbers = getelementptr ptr, ptr %table, i64 %i
  %numbers = load ptr, ptr %at.numbers, !tbaa !10
  store double %x, ptr %numbers, !tbaa !12
  ret i64 %word
}

!2 = !{!"Simple C++ TBAA"}
!3 = !{!"omnipotent char", !2, i64 0}
!4 = !{!"any pointer", !3, i64 0}
!5 = !{!"p1 double", !4, i64 0}
!6 = !{!"p1 _ZTS4Node", !4, i64 0}
!7 = !{!"double", !3, i64 0}
!10 = !{!5, !5, i64 0}
!11 = !{!6, !6, i64 0}
!12 = !{!7, !7, i64 0}
!13 = !{!4, !4, i64 0}
!8 = !{!"p1 long", !4, i64 0}
!9 = !{!"long", !3, i64 0}
!14 = !{!8, !8, i64 0}
!15 = !{!9, !9, i64 0}
