; What alias metadata says of a record holds for all accesses by the address that leads to it: for those that have no
; name, and for several that became one.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The load has no name, but its place is that of a double in the record that the store names. So the integers in steps
; are what they are called.
; CHECK-LABEL: types of @sibling
; CHECK-NOT: %n:
define double @sibling(ptr %r, i64 %i, double %x) "isozyme-request"="reverse(dup,const,active)->active" {
  store double %x, ptr %r, !tbaa !10
  %at = getelementptr i8, ptr %r, i64 8
  %y = load double, ptr %at
  %element = getelementptr i32, ptr %r, i64 %i
  %n = load i32, ptr %element, !tbaa !11
  %more = add i32 %n, 1
  store i32 %more, ptr %element, !tbaa !11
  ret double %y
}

; The record is named by another access; the address that leads to the place was loaded as that of such a record.
; CHECK-LABEL: types of @pointee
; CHECK-NOT: %n:
define double @pointee(ptr %p, ptr %s, i64 %i, double %x) "isozyme-request"="reverse(dup,dup,const,active)->active" {
  %r = load ptr, ptr %p, !tbaa !13
  %at = getelementptr i8, ptr %r, i64 8
  %y = load double, ptr %at
  %element = getelementptr i32, ptr %r, i64 %i
  %n = load i32, ptr %element, !tbaa !11
  %more = add i32 %n, 1
  store i32 %more, ptr %element, !tbaa !11
  store double %x, ptr %s, !tbaa !10
  ret double %y
}

; What lies behind its last member is not told: a class that extends the record may keep a member there. Zeros are
; known where the record has doubles.
; CHECK-LABEL: types of @extended
; CHECK: %r -> starts with {0..16 float double}
; CHECK: %tail -> unknown
define double @extended(ptr %p, ptr %s, double %x) "isozyme-request"="reverse(dup,dup,active)->active" {
  %r = load ptr, ptr %p, !tbaa !13
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 16, i1 false)
  %q = load ptr, ptr %p, !tbaa !15
  %tail = getelementptr i8, ptr %q, i64 12
  call void @llvm.memset.p0.i64(ptr %tail, i8 0, i64 4, i1 false)
  store double %x, ptr %s, !tbaa !10
  %at = getelementptr i8, ptr %s, i64 16
  store double %x, ptr %at, !tbaa !17
  ret double %x
}

; C casts pointers to what is only a handle: where the named record has no numbers, nothing is told. Nor does it tell
; of elements that an index steps over, in front of which it stands as their header.
; CHECK-LABEL: types of @handle
; CHECK: copy of 16 bytes at %h: every 16: {0..16 unknown}
define double @handle(ptr %p, ptr %s, ptr %out, double %x) "isozyme-request"="reverse(dup,dup,dup,active)->active" {
  %h = load ptr, ptr %p, !tbaa !19
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %h, i64 16, i1 false)
  store i32 1, ptr %s, !tbaa !22
  ret double %x
}
; CHECK-LABEL: types of @header
; CHECK: copy of 16 bytes at %element: every 16: {0..16 unknown}
define double @header(ptr %p, ptr %s, ptr %out, i64 %i, double %x) "isozyme-request"="reverse(dup,dup,dup,const,active)->active" {
  %h = load ptr, ptr %p, !tbaa !23
  %element = getelementptr [2 x double], ptr %h, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %element, i64 16, i1 false)
  store double %x, ptr %s, !tbaa !26
  ret double %x
}
; CHECK-LABEL: types of @element
; CHECK: copy of 16 bytes at %element: every 16: {0..8 float double, 8..16 integer}
%header = type { double, i64 }
define double @element(ptr %p, ptr %s, ptr %out, i64 %i, double %x) "isozyme-request"="reverse(dup,dup,dup,const,active)->active" {
  %h = load ptr, ptr %p, !tbaa !23
  %element = getelementptr %header, ptr %h, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %element, i64 16, i1 false)
  store double %x, ptr %s, !tbaa !26
  ret double %x
}

; A union at that place may be anything, and so may what lies behind the first element of an array.
; CHECK-LABEL: types of @union
; CHECK: %n: unknown
define double @union(ptr %r, i64 %i, double %x) "isozyme-request"="reverse(dup,const,active)->active" {
  store double %x, ptr %r, !tbaa !12
  %at = getelementptr i8, ptr %r, i64 8
  %y = load double, ptr %at
  %element = getelementptr i32, ptr %r, i64 %i
  %n = load i32, ptr %element, !tbaa !11
  %more = add i32 %n, 1
  store i32 %more, ptr %element, !tbaa !11
  ret double %y
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!2 = !{!"Simple C/C++ TBAA"}
!4 = !{!"omnipotent char", !2, i64 0}
!5 = !{!"int", !4, i64 0}
!6 = !{!"double", !4, i64 0}
!7 = !{!"Pair", !6, i64 0, !6, i64 8}
!8 = !{!"Tagged", !6, i64 0, !4, i64 8}
!10 = !{!7, !6, i64 0}
!11 = !{!5, !5, i64 0}
!12 = !{!8, !6, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 _ZTS4Pair", !4, i64 0}
!15 = !{!16, !16, i64 0}
!16 = !{!"p1 _ZTS7Counted", !4, i64 0}
!17 = !{!18, !6, i64 0}
!18 = !{!"Counted", !6, i64 0, !5, i64 8}
!19 = !{!20, !20, i64 0}
!20 = !{!"p1 handle", !4, i64 0}
!21 = !{!"handle", !5, i64 0, !5, i64 4, !5, i64 8, !5, i64 12}
!22 = !{!21, !5, i64 0}
!23 = !{!24, !24, i64 0}
!24 = !{!"p1 header", !4, i64 0}
!25 = !{!"header", !6, i64 0, !27, i64 8}
!26 = !{!25, !6, i64 0}
!27 = !{!"long", !4, i64 0}
