; Bytes of memory that a caller makes, which nobody else sees and nothing reads or writes on its own, are padding; so a
; callee that moves records as a whole, as std::vector does when it grows, knows all of their bytes.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @see(ptr)

; CHECK-LABEL: types of @makes.prepared
; CHECK: %record -> every 32: {0..24 float double, 24..25 integer, 25..32 anything}
define double @makes(double %x) "isozyme-request"="reverse(active)->active" {
  %record = alloca [32 x i8], align 8
  %other = alloca [32 x i8], align 8
  store double %x, ptr %record
  %second = getelementptr i8, ptr %record, i64 8
  store double %x, ptr %second
  %third = getelementptr i8, ptr %record, i64 16
  store double %x, ptr %third
  %kind = getelementptr i8, ptr %record, i64 24
  store i8 1, ptr %kind, !tbaa !0
  call void @move(ptr %other, ptr %record)
  %y = load double, ptr %other
  ret double %y
}

; CHECK-LABEL: types of @move.prepared
; CHECK: copy of 32 bytes at %from: every 32: {0..24 float double, 24..25 integer, 25..32 anything}
define void @move(ptr %to, ptr %from) noinline "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 32, i1 false)
  ret void
}

; Of two callers, one moves memory of others.
; CHECK-LABEL: types of @move.for.all.prepared
; CHECK: copy of 16 bytes at %from: every 16: {0..8 float double, 8..9 integer, 9..16 unknown}
define void @move.for.all(ptr %to, ptr %from) noinline "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  ret void
}

define double @makes.one(double %x) {
  %record = alloca [16 x i8], align 8
  %other = alloca [16 x i8], align 8
  store double %x, ptr %record
  %kind = getelementptr i8, ptr %record, i64 8
  store i8 1, ptr %kind, !tbaa !0
  call void @move.for.all(ptr %other, ptr %record)
  %y = load double, ptr %other
  ret double %y
}

define void @has.another(ptr %to, ptr %from) {
  call void @move.for.all(ptr %to, ptr %from)
  ret void
}

; Other code sees the record.
; CHECK-LABEL: types of @move.seen.prepared
; CHECK: copy of 16 bytes at %from: every 16: {0..8 float double, 8..9 integer, 9..16 unknown}
define void @move.seen(ptr %to, ptr %from) noinline "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  ret void
}

define double @shows(double %x) {
  %record = alloca [16 x i8], align 8
  %other = alloca [16 x i8], align 8
  store double %x, ptr %record
  %kind = getelementptr i8, ptr %record, i64 8
  store i8 1, ptr %kind, !tbaa !0
  call void @move.seen(ptr %other, ptr %record)
  call void @see(ptr %record)
  %y = load double, ptr %other
  ret double %y
}

; A caller that is called by others hands on what they say.
; CHECK-LABEL: types of @move.deep.prepared
; CHECK: copy of 16 bytes at %from: every 16: {0..8 float double, 8..9 integer, 9..16 anything}
define void @move.deep(ptr %to, ptr %from) noinline "isozyme-request"="reverse(dup,dup)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  ret void
}

define internal void @hands.on(ptr %to, ptr %from) noinline {
  call void @move.deep(ptr %to, ptr %from)
  ret void
}

define double @starts(double %x) {
  %record = alloca [16 x i8], align 8
  %other = alloca [16 x i8], align 8
  store double %x, ptr %record
  %kind = getelementptr i8, ptr %record, i64 8
  store i8 1, ptr %kind, !tbaa !0
  call void @hands.on(ptr %other, ptr %record)
  %y = load double, ptr %other
  ret double %y
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
