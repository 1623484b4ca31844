; A loop that became one copy or fill left it the type that its elements were accessed as.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @shift.prepared
; CHECK: copy of 32 bytes at %x: every 32: {0..32 float double}
define double @shift(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %to = getelementptr inbounds nuw i8, ptr %x, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %to, ptr align 8 %x, i64 32, i1 false), !tbaa !1
  ret double 1.0
}

; CHECK-LABEL: types of @shiftAll.prepared
; CHECK: %to -> every 8: {0..8 float double}
define double @shiftAll(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
  %to = getelementptr inbounds nuw i8, ptr %x, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %to, ptr align 8 %x, i64 %n, i1 false), !tbaa !1
  ret double 1.0
}

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
