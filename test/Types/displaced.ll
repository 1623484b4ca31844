; A block that is moved by an unknown distance within numbers: where one of them starts is not
; known of the address, but nothing else is there.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @insert.prepared
; CHECK: %data -> every 8: {0..8 float double}
; CHECK: %hole -> every 8: {0..8 float double}
define void @insert(ptr %v, ptr %at, double %x) "isozyme-request"="reverse(dup,dup,active)->const" {
  %data = load ptr, ptr %v, align 8
  %first = load double, ptr %data, align 8
  %start = ptrtoint ptr %data to i64
  %place = ptrtoint ptr %at to i64
  %bytes = sub i64 %place, %start
  %hole = getelementptr i8, ptr %data, i64 %bytes
  %after = getelementptr i8, ptr %hole, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %after, ptr align 8 %hole, i64 %bytes, i1 false)
  store double %x, ptr %hole, align 8, !tbaa !0
  ret void
}

; With a number of another kind among them, nothing is known.
; CHECK-LABEL: types of @mixed.prepared
; CHECK: %hole -> every 1: {0..1 unknown}
define void @mixed(ptr %v, ptr %at, double %x) "isozyme-request"="reverse(dup,dup,active)->const" {
  %data = load ptr, ptr %v, align 8
  %second = getelementptr i8, ptr %data, i64 8
  %n = load i64, ptr %second, align 8
  %step = getelementptr i8, ptr %v, i64 %n
  store ptr %step, ptr %at
  %start = ptrtoint ptr %data to i64
  %place = ptrtoint ptr %at to i64
  %bytes = sub i64 %place, %start
  %hole = getelementptr i8, ptr %data, i64 %bytes
  %after = getelementptr i8, ptr %hole, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %after, ptr align 8 %hole, i64 %bytes, i1 false)
  store double %x, ptr %hole, align 1
  ret void
}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
