; A function that makes a record does not see what is done with it. The caller, to which it is returned, knows: the
; number that is stored there is an integer, and what the other member leads to are numbers.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @made.prepared
; CHECK-NEXT: %record -> starts with {0..8 integer, 8..16 pointer}
; CHECK: %numbers -> every 8: {0..8 float double}
define internal ptr @made(i64 %n) noinline "isozyme-request"="reverse(const)->dup" {
  %record = call ptr @malloc(i64 16)
  %numbers = call ptr @malloc(i64 %n)
  call void @llvm.memset.p0.i64(ptr %numbers, i8 0, i64 %n, i1 false)
  store i64 %n, ptr %record
  %member = getelementptr i8, ptr %record, i64 8
  store ptr %numbers, ptr %member
  ret ptr %record
}
define double @sum(i64 %k) {
  %record = call ptr @made(i64 %k)
  %n = load i64, ptr %record
  %member = getelementptr i8, ptr %record, i64 8
  %numbers = load ptr, ptr %member
  %last = getelementptr double, ptr %numbers, i64 %n
  %x = load double, ptr %last
  ret double %x
}
declare ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
