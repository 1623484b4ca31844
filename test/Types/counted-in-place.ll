; A node of a tree has a float where the tree itself counts. Without tags, too, the count is an integer: it is counted
; up where it is, in an object in which nothing else is seen there.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"

; What becomes an address is none.
; CHECK-LABEL: types of @arena
; CHECK: %count -> starts with {0..8 pointer}
define double @arena(ptr %arena, double %x) "isozyme-request"="reverse(dup,const)->active" {
  %first = load ptr, ptr %arena, align 8
  %second = load ptr, ptr %first, align 8
  store ptr %second, ptr %arena, align 8
  %at = getelementptr i8, ptr %second, i64 16
  store ptr %at, ptr %at, align 8
  %count = getelementptr i8, ptr %arena, i64 16
  %begin = load i64, ptr %count, align 8
  %end = add i64 %begin, 8
  store i64 %end, ptr %count, align 8
  %memory = inttoptr i64 %begin to ptr
  store double %x, ptr %memory, align 8
  %v = load double, ptr %memory, align 8
  ret double %v
}

; The left or the right child of a node, and not what is behind them.
; CHECK-LABEL: types of @child
; CHECK: %count -> starts with {0..8 integer}
; CHECK-NOT: %old: pointer
define double @child(ptr %tree, i1 %left, double %x) "isozyme-request"="reverse(dup,const,const)->active" {
  %offset = select i1 %left, i64 16, i64 24
  %place = getelementptr inbounds nuw i8, ptr %tree, i64 %offset
  %node = load ptr, ptr %place, align 8
  %second = getelementptr i8, ptr %node, i64 24
  store ptr %tree, ptr %second, align 8
  %number = getelementptr i8, ptr %node, i64 32
  store double %x, ptr %number, align 8
  %count = getelementptr i8, ptr %tree, i64 32
  %old = load i64, ptr %count, align 8
  %new = add i64 %old, 1
  store i64 %new, ptr %count, align 8
  %v = load double, ptr %number, align 8
  ret double %v
}
