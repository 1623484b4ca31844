; A function puts a record into a node that it makes, and links it to a header whose layout is another one: the count
; of the header lies where the number of the node lies. For callers the copy goes to what the call has made. What
; they know of the header is no word about the record.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%header = type { i64, ptr, i64 }

; CHECK-LABEL: types of @sum.prepared
; CHECK: %record -> every 8: {0..8 float double}
define internal void @put(ptr %header, ptr %record) noinline {
  %node = call noalias ptr @malloc(i64 16)
  %number = getelementptr i8, ptr %node, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %number, ptr %record, i64 8, i1 false)
  %chain = getelementptr i8, ptr %header, i64 8
  %first = load ptr, ptr %chain, !tbaa !4
  store ptr %first, ptr %node, !tbaa !9
  store ptr %node, ptr %chain, !tbaa !4
  ret void
}

define double @sum(double %x) "isozyme-request"="reverse(active)->active" {
  %header = alloca %header
  %record = alloca double
  %chain = getelementptr i8, ptr %header, i64 8
  store ptr %chain, ptr %chain, !tbaa !4
  store double %x, ptr %record, !tbaa !8
  call void @put(ptr %header, ptr %record)
  %node = load ptr, ptr %chain, !tbaa !4
  %number = getelementptr i8, ptr %node, i64 8
  %y = load double, ptr %number, !tbaa !8
  ret double %y
}
declare noalias ptr @malloc(i64)

!0 = !{!"root"}
!1 = !{!"omnipotent char", !0}
!2 = !{!"any pointer", !1}
!3 = !{!"header", !5, i64 0, !2, i64 8, !5, i64 16}
!4 = !{!3, !2, i64 8}
!5 = !{!"long", !1}
!7 = !{!"double", !1}
!8 = !{!7, !7, i64 0}
!9 = !{!10, !2, i64 0}
!10 = !{!"node", !2, i64 0, !7, i64 8}
