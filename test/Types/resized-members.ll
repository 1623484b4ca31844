; What realloc resizes is memory of its own, also where, as at -O0, its declaration says nothing of what it does: two
; members of a record that are resized lead to different memory.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @sum.prepared
; CHECK: %numbers -> every 8: {0..8 float double}
; CHECK: %counts -> starts with {0..8 integer}
define internal void @resize(ptr %record, i64 %size) noinline {
  %old = load ptr, ptr %record
  %new = call ptr @realloc(ptr %old, i64 %size)
  store ptr %new, ptr %record
  %other = getelementptr i8, ptr %record, i64 8
  %old.other = load ptr, ptr %other
  %new.other = call ptr @realloc(ptr %old.other, i64 %size)
  store ptr %new.other, ptr %other
  ret void
}
define double @sum(ptr %record, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
  call void @resize(ptr %record, i64 %n)
  %numbers = load ptr, ptr %record
  %x = load double, ptr %numbers
  %other = getelementptr i8, ptr %record, i64 8
  %counts = load ptr, ptr %other
  %k = load i64, ptr %counts
  %d = sitofp i64 %k to double
  %r = fmul double %x, %d
  ret double %r
}
declare ptr @realloc(ptr, i64)
