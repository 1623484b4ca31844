; A variant holds a double, the address of other numbers, or an int: what the source names an int, at the start of a word
; of which nothing else is a part, is one, whatever else the word is at other times. What is moved beside another half,
; and a float, may be parts of a number.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @moved
; CHECK-NOT: %small: unknown
; CHECK-NOT: %flag: unknown
define void @moved(ptr %to, ptr %from, i32 %which) "isozyme-request"="reverse(dup,dup,const)->const" {
  switch i32 %which, label %number [ i32 1, label %int
                                     i32 2, label %pointer
                                     i32 3, label %bool ]
number:
  %x = load double, ptr %from, !tbaa !10
  store double %x, ptr %to, !tbaa !10
  ret void
int:
  %small = load i32, ptr %from, !tbaa !11
  store i32 %small, ptr %to, !tbaa !11
  ret void
bool:
  %flag = load i8, ptr %from, !tbaa !13
  store i8 %flag, ptr %to, !tbaa !13
  ret void
pointer:
  %numbers = load ptr, ptr %from, !tbaa !12
  %y = load double, ptr %numbers, !tbaa !10
  store ptr %numbers, ptr %to, !tbaa !12
  store double %y, ptr %numbers, !tbaa !10
  ret void
}

; CHECK-LABEL: types of @halves
; CHECK: %low: unknown
define void @halves(ptr %to, ptr %from, i32 %which) "isozyme-request"="reverse(dup,dup,const)->const" {
  switch i32 %which, label %number [ i32 1, label %parts
                                     i32 2, label %pointer ]
number:
  %x = load double, ptr %from, !tbaa !10
  store double %x, ptr %to, !tbaa !10
  ret void
parts:
  %low = load i32, ptr %from, !tbaa !11
  store i32 %low, ptr %to, !tbaa !11
  %high.from = getelementptr i8, ptr %from, i64 4
  %high = load i32, ptr %high.from, !tbaa !11
  %high.to = getelementptr i8, ptr %to, i64 4
  store i32 %high, ptr %high.to, !tbaa !11
  ret void
pointer:
  %numbers = load ptr, ptr %from, !tbaa !12
  %y = load double, ptr %numbers, !tbaa !10
  store ptr %numbers, ptr %to, !tbaa !12
  store double %y, ptr %numbers, !tbaa !10
  ret void
}

; CHECK-LABEL: types of @floats
; CHECK: %small: unknown
define void @floats(ptr %to, ptr %from, i32 %which) "isozyme-request"="reverse(dup,dup,const)->const" {
  switch i32 %which, label %number [ i32 1, label %int
                                     i32 2, label %single ]
number:
  %x = load double, ptr %from, !tbaa !10
  store double %x, ptr %to, !tbaa !10
  ret void
int:
  %small = load i32, ptr %from, !tbaa !11
  store i32 %small, ptr %to, !tbaa !11
  ret void
single:
  %y = load float, ptr %from, !tbaa !14
  store float %y, ptr %to, !tbaa !14
  ret void
}

; A byte that becomes a char of a record is one, whatever is in its place in other records.
; CHECK-LABEL: types of @char
; CHECK-NOT: %letter: unknown
define void @char(ptr %to, ptr %from, i1 %isNumber) "isozyme-request"="reverse(dup,dup,const)->const" {
  br i1 %isNumber, label %number, label %name
number:
  %x = load double, ptr %from, !tbaa !10
  store double %x, ptr %to, !tbaa !10
  ret void
name:
  %letter = load i8, ptr %from, !tbaa !15
  store i8 %letter, ptr %to, !tbaa !17
  ret void
}

; Not beside another: they may be pieces of a number.
; CHECK-LABEL: types of @pieces
; CHECK: %first: unknown
define void @pieces(ptr %to, ptr %from, i1 %isNumber) "isozyme-request"="reverse(dup,dup,const)->const" {
  br i1 %isNumber, label %number, label %name
number:
  %x = load double, ptr %from, !tbaa !10
  store double %x, ptr %to, !tbaa !10
  ret void
name:
  %first = load i8, ptr %from, !tbaa !15
  store i8 %first, ptr %to, !tbaa !17
  %second.from = getelementptr i8, ptr %from, i64 1
  %second = load i8, ptr %second.from, !tbaa !15
  %second.to = getelementptr i8, ptr %to, i64 1
  store i8 %second, ptr %second.to, !tbaa !18
  ret void
}

!2 = !{!"Simple C++ TBAA"}
!3 = !{!"omnipotent char", !2, i64 0}
!4 = !{!"any pointer", !3, i64 0}
!5 = !{!"p1 double", !4, i64 0}
!6 = !{!"int", !3, i64 0}
!7 = !{!"double", !3, i64 0}
!8 = !{!"bool", !3, i64 0}
!9 = !{!"float", !3, i64 0}
!10 = !{!7, !7, i64 0}
!11 = !{!6, !6, i64 0}
!12 = !{!5, !5, i64 0}
!13 = !{!8, !8, i64 0}
!14 = !{!9, !9, i64 0}
!15 = !{!3, !3, i64 0}
!16 = !{!"Named", !3, i64 0, !3, i64 1, !7, i64 8}
!17 = !{!16, !3, i64 0}
!18 = !{!16, !3, i64 1}
