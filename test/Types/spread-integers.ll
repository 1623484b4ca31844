; A size in a record is read by its index, and the record is copied: in the copy, each word counts as a size that the
; index may have led to, an address behind the sizes, too. What a copy has spread is no word of the source about the
; address: no address is kept in an integer there, and the numbers that are stored are no addresses.
; RUN: %opt -passes=autodiff -isozyme-print-after=types -disable-output %s 2>&1 | FileCheck %s --implicit-check-not=error:
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK: types of @sized
; CHECK-NOT: %number: pointer
define internal i64 @sized(ptr %to, ptr %record, i64 %k) noinline {
  %first = load i64, ptr %record
  store i64 %first, ptr %to
  %sizes = getelementptr i8, ptr %record, i64 8
  %at = getelementptr i64, ptr %sizes, i64 %k
  %size = load i64, ptr %at, !tbaa !3
  %none = icmp eq i64 %size, 0
  br i1 %none, label %done, label %some
done:
  ret i64 0
some:
  %data = getelementptr i8, ptr %record, i64 24
  store ptr %to, ptr %data
  %number = or i64 %k, 1
  store i64 %number, ptr %to
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %record, i64 40, i1 false)
  store ptr null, ptr %data, !tbaa !4
  br label %done
}

define i64 @sum(ptr %record) {
  %size = call i64 @sized(ptr null, ptr %record, i64 0)
  ret i64 0
}
declare void @__enzyme_autodiff(...)
define void @main() {
  call void (...) @__enzyme_autodiff(ptr @sum, ptr null, ptr null)
  ret void
}

!0 = !{!"root"}
!1 = !{!"omnipotent char", !0}
!2 = !{!"long", !1}
!3 = !{!2, !2, i64 0}
!4 = !{!5, !6, i64 24}
!5 = !{!"record", !2, i64 0, !7, i64 8, !6, i64 24}
!6 = !{!"any pointer", !1}
!7 = !{!"sizes", !1, i64 0}
