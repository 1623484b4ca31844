; A float that is stored where the source declares an integer: there, its declarations do not count.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%Box = type { i64, i32 }

; The store of a float by the name of a long tells it. The other member stays what it is.
; CHECK-LABEL: types of @stored
; CHECK: %box -> every 16: {0..8 float double, 8..12 integer
; CHECK: %bits: float double
define void @stored(ptr %box, double %x) "isozyme-request"="reverse(dup,active)->const" {
  store double %x, ptr %box, !tbaa !10
  %tag = getelementptr %Box, ptr %box, i32 0, i32 1
  store i32 1, ptr %tag, !tbaa !11
  %bits = load i64, ptr %box, !tbaa !10
  %to = getelementptr %Box, ptr %box, i64 1
  store i64 %bits, ptr %to, !tbaa !10
  ret void
}

; A function that only moves the integer learns it from its caller, of elements of an array.
; CHECK-LABEL: types of @moved
; CHECK: %bits: float double
; CHECK: %tag -> every 16: {0..4 integer, 4..8 anything
define internal void @moved(ptr %a, ptr %b) noinline "isozyme-request"="reverse(dup,dup)->const" {
  %bits = load i64, ptr %a, !tbaa !10
  store i64 %bits, ptr %b, !tbaa !10
  %tag = getelementptr %Box, ptr %b, i32 0, i32 1
  store i32 2, ptr %tag, !tbaa !11
  ret void
}
define void @caller(double %x, i64 %i) {
  %boxes = alloca [8 x %Box]
  %at = getelementptr [8 x %Box], ptr %boxes, i64 0, i64 %i
  store double %x, ptr %at, !tbaa !10
  %to = getelementptr %Box, ptr %at, i64 1
  call void @moved(ptr %at, ptr %to)
  ret void
}

; The caller keeps addresses in steps behind numbers. What it knows of a single place among the
; numbers, it knows better.
; CHECK-LABEL: types of @copied
; CHECK: copy of 16 bytes at %from: every 16: {0..16 float double}
define internal void @copied(ptr %to, ptr %from) noinline "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  ret void
}
define void @ofCopied(double %x, i64 %i) {
  %from = alloca [48 x i8]
  %to = alloca [48 x i8]
  store double %x, ptr %from, !tbaa !10
  %second = getelementptr i8, ptr %from, i64 8
  store double %x, ptr %second, !tbaa !10
  %table = getelementptr i8, ptr %from, i64 16
  %at = getelementptr ptr, ptr %table, i64 %i
  store ptr %to, ptr %at
  call void @copied(ptr %to, ptr %from)
  ret void
}

; Of what may be either, an integer by its operations may be the float as well.
; CHECK-LABEL: types of @union
; CHECK: %bits: float double
; CHECK: %sum: float double
define double @union(ptr %u, i64 %i, i1 %c) "isozyme-request"="reverse(dup,const,const)->active" {
  br i1 %c, label %float, label %integer
float:
  %f = load double, ptr %u, !tbaa !12
  ret double %f
integer:
  %bits = load i64, ptr %u, !tbaa !12
  %sum = add i64 %bits, %i
  store i64 %sum, ptr %u, !tbaa !12
  ret double 0.0
}

; Lanes of vectors are accessed without a tag, and which one is not known: that tells nothing of
; the integer beside them.
; CHECK-LABEL: types of @lanes
; CHECK: %r -> starts with {0..4 integer, 4..8 anything, 8..16 float float}
; CHECK-NOT: %n:
define void @lanes(ptr %r, i64 %i) "isozyme-request"="reverse(dup,const)->const" {
  %v = getelementptr i8, ptr %r, i64 8
  %lane = getelementptr float, ptr %v, i64 %i
  %x = load float, ptr %lane
  store float 1.0, ptr %lane
  %n = load i32, ptr %r, !tbaa !14
  %more = add i32 %n, 1
  store i32 %more, ptr %r, !tbaa !14
  ret void
}

; The optimiser has joined a load of a float that the source calls one with another: it lost its
; name, but there is one. The integers are in another object, which an address may lead to as well.
; CHECK-LABEL: types of @joined
; CHECK-NOT: %n:
define double @joined(ptr %r, i64 %i, double %x) "isozyme-request"="reverse(dup,const,active)->active" {
  %at = getelementptr i8, ptr %r, i64 8
  store double %x, ptr %at, !tbaa !16
  %y = load double, ptr %at
  %element = getelementptr i32, ptr %r, i64 %i
  %n = load i32, ptr %element, !tbaa !17
  %more = add i32 %n, 1
  store i32 %more, ptr %element, !tbaa !17
  ret double %y
}

; Without that name it may be one of the integers in disguise.
; CHECK-LABEL: types of @untold
; CHECK: %n: unknown
define double @untold(ptr %r, i64 %i, double %x) "isozyme-request"="reverse(dup,const,active)->active" {
  %at = getelementptr i8, ptr %r, i64 8
  store double %x, ptr %at
  %y = load double, ptr %at
  %element = getelementptr i32, ptr %r, i64 %i
  %n = load i32, ptr %element, !tbaa !17
  %more = add i32 %n, 1
  store i32 %more, ptr %element, !tbaa !17
  ret double %y
}

; A union that is also accessed by the address of its float, which has a name, is one all the same.
; CHECK-LABEL: types of @unionByAddress
; CHECK: %bits: float double
; CHECK: %sum: float double
define double @unionByAddress(ptr %u, i64 %i, double %x, i1 %c) "isozyme-request"="reverse(dup,const,active,const)->active" {
  store double %x, ptr %u, !tbaa !16
  br i1 %c, label %float, label %integer
float:
  %f = load double, ptr %u, !tbaa !12
  ret double %f
integer:
  %bits = load i64, ptr %u, !tbaa !12
  %sum = add i64 %bits, %i
  store i64 %sum, ptr %u, !tbaa !12
  ret double 0.0
}

; A float without a name is in no disguise of what another object counts, though an address from memory
; may lead to either.
; CHECK-LABEL: types of @countAndKey
; CHECK: %key -> starts with {0..8 float double
; CHECK-NOT: %n:
define double @countAndKey(i1 %c, double %x) "isozyme-request"="reverse(const,active)->active" {
  %head = alloca [16 x i8]
  %node = call ptr @malloc(i64 16)
  %either = select i1 %c, ptr %node, ptr %head
  store ptr %either, ptr %head
  store ptr %head, ptr %node
  %key = getelementptr i8, ptr %node, i64 8
  store double %x, ptr %key
  %count = getelementptr i8, ptr %head, i64 8
  %n = load i64, ptr %count, !tbaa !18
  %more = add i64 %n, 1
  store i64 %more, ptr %count, !tbaa !18
  %first = load ptr, ptr %head
  %any = getelementptr i8, ptr %first, i64 8
  %y = load double, ptr %any, !tbaa !16
  ret double %y
}
declare ptr @malloc(i64)

!2 = !{!"Simple C/C++ TBAA"}
!3 = !{!"long", !4, i64 0}
!4 = !{!"omnipotent char", !2, i64 0}
!5 = !{!"int", !4, i64 0}
!6 = !{!"Box", !3, i64 0, !5, i64 8}
!10 = !{!6, !3, i64 0}
!11 = !{!6, !5, i64 8}
!12 = !{!4, !4, i64 0}
!13 = !{!"Record", !5, i64 0, !4, i64 8}
!14 = !{!13, !5, i64 0}
!15 = !{!"double", !4, i64 0}
!16 = !{!15, !15, i64 0}
!17 = !{!5, !5, i64 0}
!18 = !{!19, !3, i64 8}
!19 = !{!"Head", !4, i64 0, !3, i64 8}
