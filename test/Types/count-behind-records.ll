; A record is copied to an element of an array, behind which is a count: where a record has its
; number, the count is an integer, and no number of a record is.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @counted
; CHECK: copy of 16 bytes at %from: every 16: {0..8 float double, 8..16 anything}
define double @counted(i64 %i, i64 %j) "isozyme-request"="reverse(const,const)->active" {
  %stack = alloca [264 x i8], align 8
  %count = getelementptr i8, ptr %stack, i64 256
  store i32 5, ptr %count
  %to = getelementptr [16 x i8], ptr %stack, i64 %i
  %from = getelementptr [16 x i8], ptr %stack, i64 %j
  store double 1.0, ptr %from
  %node = getelementptr i8, ptr %from, i64 8
  store i32 1, ptr %node
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %v = load double, ptr %to
  %n = load i32, ptr %count
  %w = sitofp i32 %n to double
  %r = fmul double %v, %w
  ret double %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
