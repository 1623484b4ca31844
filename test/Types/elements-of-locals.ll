; Stepping through an array in a local record by the type of its elements alone touches the elements,
; and not what stands behind them, nor what that is a copy of. So do vectors, which lie in the array.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%Short = type { [3 x double], [16 x i8] }
%Bytes = type { [40 x i8] }

; CHECK-LABEL: types of @short
; CHECK-NOT: %from -> {{.*}}double
; CHECK: types of
define void @short(ptr %from, double %x, i64 %i, i64 %j) "isozyme-request"="reverse(dup,active,const,const)->const" {
  %s = alloca %Short
  %tail = getelementptr i8, ptr %s, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr %tail, ptr %from, i64 16, i1 false)
  %at = getelementptr double, ptr %s, i64 %i
  store double %x, ptr %at
  %pair = getelementptr double, ptr %s, i64 %j
  %both = load <2 x double>, ptr %pair, align 8
  %twice = fadd <2 x double> %both, %both
  store <2 x double> %twice, ptr %pair, align 8
  ret void
}

; Where no array of such elements is known, they may be anywhere.
; CHECK-LABEL: @bytes
; CHECK: %from -> {{.*}}double
define void @bytes(ptr %from, double %x, i64 %i) "isozyme-request"="reverse(dup,active,const)->const" {
  %s = alloca %Bytes
  %tail = getelementptr i8, ptr %s, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr %tail, ptr %from, i64 16, i1 false)
  %at = getelementptr double, ptr %s, i64 %i
  store double %x, ptr %at
  ret void
}
