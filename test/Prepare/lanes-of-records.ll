; A record of a number and an address that is loaded as a vector: each member is loaded by itself.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: @factorAndNumbers
; CHECK: %v.lane = load double, ptr %r, align 16
; CHECK: getelementptr inbounds i8, ptr %r, i64 8
; CHECK: load ptr, ptr
; CHECK-NOT: inttoptr
; CHECK-NOT: load <2 x double>, ptr %r
define <2 x double> @factorAndNumbers(ptr %r) "isozyme-request"="reverse(dup)->active" {
  %v = load <2 x double>, ptr %r, align 16
  %bits = bitcast <2 x double> %v to <2 x i64>
  %address = extractelement <2 x i64> %bits, i64 1
  %numbers = inttoptr i64 %address to ptr
  %factor = shufflevector <2 x double> %v, <2 x double> poison, <2 x i32> zeroinitializer
  %x = load <2 x double>, ptr %numbers, align 16
  %product = fmul <2 x double> %factor, %x
  ret <2 x double> %product
}

; Of which no lane is an integer, it stays a vector.
; CHECK-LABEL: @numbers
; CHECK: load <2 x double>, ptr %r
define double @numbers(ptr %r) "isozyme-request"="reverse(dup)->active" {
  %v = load <2 x double>, ptr %r, align 16
  %a = extractelement <2 x double> %v, i64 0
  %b = extractelement <2 x double> %v, i64 1
  %product = fmul double %a, %b
  ret double %product
}
