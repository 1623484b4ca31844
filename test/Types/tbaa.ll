; TBAA gives the accessed scalar and the record around it; pointers by either spelling.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @member
; CHECK: copy of 32 bytes at %s: every 32: {0..4 integer, 4..8 anything, 8..16 float double, 16..32 pointer}
define double @member(ptr %s) "isozyme-request"="reverse(dup)->active" {
  %local = alloca [32 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %s, i64 32, i1 false)
  %p = getelementptr i8, ptr %s, i64 8
  %x = load double, ptr %p, !tbaa !5
  ret double %x
}

; Bit fields are named by the type that they are part of, here an int at byte 1, and end before the next member.
; CHECK-LABEL: types of @bits
; CHECK: copy of 16 bytes at %s: every 16: {0..4 integer, 4..8 float float, 8..16 float double}
define double @bits(ptr %s) "isozyme-request"="reverse(dup)->active" {
  %local = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %s, i64 16, i1 false)
  %p = getelementptr i8, ptr %s, i64 8
  %x = load double, ptr %p, !tbaa !24
  ret double %x
}

; An integer access with the tag of a double is a double.
; CHECK-LABEL: types of @moved
; CHECK: %to -> every 8: {0..8 float double}
; CHECK: %bits: float double
define void @moved(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->const" {
  %bits = load i64, ptr %from, !tbaa !10
  store i64 %bits, ptr %to
  ret void
}

; The tag of a call is about errno, not about its result.
; CHECK-LABEL: types of @called
; CHECK: %p -> every 8: {0..8 float double}
define double @called(ptr %p) "isozyme-request"="reverse(dup)->active" {
  %x = load double, ptr %p
  %y = call double @sin(double %x), !tbaa !11
  ret double %y
}

; "p1 double": what the pointer points to, even if only bytes of it are copied.
; CHECK-LABEL: types of @pointee
; CHECK: %data -> every 8: {0..8 float double}
define void @pointee(ptr %s, ptr %to, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
  %data = load ptr, ptr %s, !tbaa !14
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %data, i64 %n, i1 false)
  ret void
}

; !tbaa.struct: what a copy moves.
; CHECK-LABEL: types of @tagged
; CHECK: copy of 16 bytes at %from: every 16: {0..4 float float, 4..8 integer, 8..16 float double}
define void @tagged(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false), !tbaa.struct !12
  ret void
}

; A member of an empty class: what lies there up to the next member is padding.
; CHECK-LABEL: types of @empty
; CHECK: copy of 24 bytes at %map: every 24: {0..8 pointer, 8..16 anything, 16..24 integer}
define i64 @empty(ptr %to, ptr %map, ptr %data) "isozyme-request"="reverse(dup,dup,dup)->const" {
  store ptr %data, ptr %map, !tbaa !18
  %at = getelementptr i8, ptr %map, i64 16
  %columns = load i64, ptr %at, !tbaa !19
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %map, i64 24, i1 false)
  ret i64 %columns
}

; Single characters between other members; an array of four may hold anything.
; CHECK-LABEL: types of @characters
; CHECK: %s -> starts with {0..8 float double, 8..12 integer}
define void @characters(ptr %s, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
  %at = getelementptr i8, ptr %s, i64 16
  store i64 %n, ptr %at, !tbaa !20
  call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 24, i1 false)
  ret void
}

; CHECK-LABEL: types of @copied
; CHECK: copy of 16 bytes at %from: every 16: {0..1 integer, 1..5 unknown, 5..8 anything, 8..9 integer, 9..12 anything, 12..16 float float}
define void @copied(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false), !tbaa.struct !22
  ret void
}

; A class that only has a base is a record, too: what fills the base up is padding where it is a member.
; CHECK-LABEL: types of @derived
; CHECK: copy of 24 bytes at %pair: every 24: {0..8 pointer, 8..12 integer, 12..16 anything, 16..24 pointer}
define ptr @derived(ptr %to, ptr %pair) "isozyme-request"="reverse(dup,dup)->dup" {
  %at = getelementptr i8, ptr %pair, i64 16
  %end = load ptr, ptr %at, !tbaa !26
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %pair, i64 24, i1 false)
  ret ptr %end
}

; What a copy moves behind the last member fills the record up.
; CHECK-LABEL: types of @filled
; CHECK: copy of 16 bytes at %from: every 16: {0..8 float double, 8..12 integer, 12..16 anything}
define void @filled(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false), !tbaa.struct !30
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare double @sin(double)

!0 = !{!"Simple C/C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"int", !1, i64 0}
!3 = !{!"double", !1, i64 0}
!4 = !{!"Cloud", !2, i64 0, !3, i64 8, !6, i64 16, !8, i64 24}
!5 = !{!4, !3, i64 8}
!6 = !{!"p1 double", !7, i64 0}
!7 = !{!"any pointer", !1, i64 0}
!8 = !{!"any pointer", !1, i64 0}
!9 = !{!"float", !1, i64 0}
!10 = !{!3, !3, i64 0}
!11 = !{!2, !2, i64 0}
!12 = !{i64 0, i64 4, !13, i64 4, i64 4, !11, i64 8, i64 8, !10}
!13 = !{!9, !9, i64 0}
!14 = !{!6, !6, i64 0}
!15 = !{!"long", !1, i64 0}
!16 = !{!"OneRow"}
!17 = !{!"Map", !6, i64 0, !16, i64 8, !15, i64 16}
!18 = !{!17, !6, i64 0}
!19 = !{!17, !15, i64 16}
!20 = !{!21, !15, i64 16}
!21 = !{!"Characters", !3, i64 0, !1, i64 8, !1, i64 9, !1, i64 12, !15, i64 16}
!22 = !{i64 0, i64 1, !23, i64 1, i64 4, !23, i64 8, i64 1, !23, i64 12, i64 4, !13}
!23 = !{!1, !1, i64 0}
!24 = !{!25, !3, i64 8}
!25 = !{!"Packed", !2, i64 0, !2, i64 0, !2, i64 1, !9, i64 4, !3, i64 8}
!26 = !{!27, !6, i64 16}
!27 = !{!"Ends", !28, i64 0, !6, i64 16}
!28 = !{!"Derived", !29, i64 0}
!29 = !{!"Base", !6, i64 0, !2, i64 8}
!30 = !{i64 0, i64 8, !10, i64 8, i64 4, !11}
