; The larger of two integers that become floats is a choice between them; that of others stays one operation.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

; CHECK-LABEL: @floats.prepared
; CHECK-NOT: llvm.umax
; CHECK: icmp ugt
; CHECK: select
; CHECK: icmp slt
; CHECK: select
define double @floats(double %x, double %y, i64 %z) "isozyme-request"="reverse(active,active,const)->active" {
  %a = bitcast double %x to i64
  %b = bitcast double %y to i64
  %larger = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %least = call i64 @llvm.smin.i64(i64 %larger, i64 %z)
  %r = bitcast i64 %least to double
  ret double %r
}

; CHECK-LABEL: @part.prepared
; CHECK-NOT: llvm.umax
; CHECK: select
define float @part(ptr %p, ptr %q) "isozyme-request"="reverse(dup,dup)->active" {
  %a = load i64, ptr %p
  %b = load i64, ptr %q
  %larger = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  %halves = bitcast i64 %larger to <2 x i32>
  %low = extractelement <2 x i32> %halves, i64 0
  %r = bitcast i32 %low to float
  ret float %r
}

; CHECK-LABEL: @numbers.prepared
; CHECK: call i64 @llvm.umax.i64
define double @numbers(ptr %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup,const,const)->active" {
  %k = call i64 @llvm.umax.i64(i64 %n, i64 %m)
  %at = getelementptr double, ptr %x, i64 %k
  %r = load double, ptr %at
  ret double %r
}
