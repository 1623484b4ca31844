; What flang names a member of a descriptor, and stores as an integer, is an integer: a size, a bound, a kind. The place
; is one of two that lie 40 bytes apart, so that a node's number and the descriptor behind it seem to overlap.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s
; RUN: %opt -passes=preserve-nvvm -S %s | FileCheck %s --check-prefix=NAMED
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%descriptor = type { ptr, i64, i32, i8, i8, i8, i8, ptr, [1 x i64] }

declare void @__enzyme_autodiff(...)

; CHECK-LABEL: define void @asks(
; CHECK-NOT: @__enzyme_autodiff
define void @asks(ptr %t, ptr %dt, ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @grow, ptr %t, ptr %dt, ptr %x, ptr %dx)
  ret void
}

define void @grow(ptr %t, ptr %x) {
  %node = load ptr, ptr %t, align 8, !tbaa !0
  %key = load double, ptr %node, align 8, !tbaa !5
  %new = load double, ptr %x, align 8, !tbaa !5
  %less = fcmp olt double %new, %key
  %side = select i1 %less, i64 16, i64 56
  %child = getelementptr i8, ptr %node, i64 %side
  %none = icmp eq ptr %node, null
  br i1 %none, label %make, label %go

go:
  br label %make

make:
  %at = phi ptr [ %t, %0 ], [ %child, %go ]
  %size = getelementptr i8, ptr %at, i64 8
  store i64 96, ptr %size, align 8, !tbaa !0
  %square = fmul double %new, %new
  store double %square, ptr %node, align 8, !tbaa !5
  ret void
}

; Unoptimised code gets these names by the types of variables, steps and values.
; NAMED-LABEL: define void @unnamed(
; NAMED: call void @llvm.memcpy{{.*}}(ptr %copy, ptr %d, i64 40, i1 false), !tbaa [[MEMBER:![0-9]+]]
; NAMED: load i64, ptr %size, align 8, !tbaa [[MEMBER]]
; NAMED: store %descriptor zeroinitializer, ptr %d, align 8, !tbaa [[MEMBER]]
; NAMED: call void @llvm.memcpy{{.*}}(ptr %part, ptr %copy, i64 24, i1 false){{$}}
; NAMED: load i64, ptr %d, align 8{{$}}
define void @unnamed(ptr %d, ptr %part) {
  %copy = alloca %descriptor
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %d, i64 40, i1 false)
  %size = getelementptr %descriptor, ptr %copy, i32 0, i32 1
  %bytes = load i64, ptr %size
  store %descriptor zeroinitializer, ptr %d
  call void @llvm.memcpy.p0.p0.i64(ptr %part, ptr %copy, i64 24, i1 false)
  %other = load i64, ptr %d
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"descriptor member", !2, i64 0}
!2 = !{!"any access", !3, i64 0}
!3 = !{!"Flang function root _QMm1Pgrow"}
!5 = !{!6, !6, i64 0}
!6 = !{!"any data access", !2, i64 0}

; NAMED: [[MEMBER]] = !{[[D:![0-9]+]], [[D]], i64 0}
; NAMED: [[D]] = !{!"descriptor member", [[ROOT:![0-9]+]], i64 0}
; NAMED: [[ROOT]] = !{!"isozyme floats"}
