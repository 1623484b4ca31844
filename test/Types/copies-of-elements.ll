; One block holds records and, behind them, a plain array. Each 16th byte is known better than each
; 8th; but a copy of elements is not one of records: each word tells what it is.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: plan for reverse(@tagged
; CHECK: call @llvm.memcpy.p0.p0.i64: copy double
define double @tagged(ptr %x, i64 %k, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
  %pool = alloca [4096 x i8], align 16
  %at = shl nuw nsw i64 %k, 4
  %record = getelementptr inbounds nuw i8, ptr %pool, i64 %at
  %number = load double, ptr %record
  %link = getelementptr inbounds nuw i8, ptr %record, i64 8
  store ptr %x, ptr %link
  %array = getelementptr inbounds nuw i8, ptr %record, i64 16
  %bytes = shl nuw nsw i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %array, ptr align 8 %x, i64 %bytes, i1 false), !tbaa !1
  %element = getelementptr inbounds nuw double, ptr %array, i64 %n
  %r = load double, ptr %element
  ret double %r
}

; CHECK-LABEL: plan for reverse(@untagged
; CHECK: call @llvm.memcpy.p0.p0.i64: copy addresses, copy  floats or addresses
define double @untagged(ptr %x, i64 %k, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
  %pool = alloca [4096 x i8], align 16
  %at = shl nuw nsw i64 %k, 4
  %record = getelementptr inbounds nuw i8, ptr %pool, i64 %at
  %number = load double, ptr %record
  %link = getelementptr inbounds nuw i8, ptr %record, i64 8
  store ptr %x, ptr %link
  %array = getelementptr inbounds nuw i8, ptr %record, i64 16
  %bytes = shl nuw nsw i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %array, ptr align 8 %x, i64 %bytes, i1 false)
  %element = getelementptr inbounds nuw double, ptr %array, i64 %n
  %r = load double, ptr %element
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!1 = !{!2, !2, i64 0}
!2 = !{!"double", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
