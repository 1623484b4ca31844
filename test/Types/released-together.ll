; Where several ways end by releasing something, the optimiser makes one call of these. A choice that is only released
; joins nothing of what it chooses from: the numbers and the counts are memory of their own.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @sum.prepared
; CHECK: %numbers -> every 8: {0..8 float double}
; CHECK: %counts -> starts with {0..8 integer}
define internal void @finish(ptr %record, i64 %which) noinline {
entry:
  %numbers = load ptr, ptr %record
  %other = getelementptr i8, ptr %record, i64 8
  %counts = load ptr, ptr %other
  switch i64 %which, label %end [
    i64 0, label %release
    i64 1, label %second
  ]
second:
  br label %release
release:
  %either = phi ptr [ %numbers, %entry ], [ %counts, %second ]
  br label %again
again:
  %same = phi ptr [ %either, %release ]
  %some = icmp eq ptr %same, null
  br i1 %some, label %end, label %free
free:
  %one = select i1 %some, ptr %numbers, ptr %same
  call void @free(ptr %one)
  br label %end
end:
  ret void
}
define double @sum(ptr %record, i64 %which) "isozyme-request"="reverse(dup,const)->active" {
  %numbers = load ptr, ptr %record
  %x = load double, ptr %numbers
  %other = getelementptr i8, ptr %record, i64 8
  %counts = load ptr, ptr %other
  %k = load i64, ptr %counts
  %d = sitofp i64 %k to double
  %r = fmul double %x, %d
  call void @finish(ptr %record, i64 %which)
  ret double %r
}
declare void @free(ptr allocptr) allockind("free")
