; A function swaps two unions by the double that is their first member. Nothing names them in it. Its caller keeps an
; address in one of them and a number in the other: what is swapped may be either.
; RUN: %opt -passes=autodiff -disable-output -isozyme-print-after=plan %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%union.word = type { double }

; CHECK-LABEL: derivative plan for augment(@swap:
; CHECK: memcpy{{.*}}: copy addresses, copy  floats or addresses
; CHECK: memmove{{.*}}: copy addresses, copy  floats or addresses
; CHECK: memcpy{{.*}}: copy addresses, copy  floats or addresses
define internal void @swap(ptr %a, ptr %b) noinline {
  %x = load double, ptr %a
  %y = load double, ptr %b
  store double %y, ptr %a
  store double %x, ptr %b
  ret void
}

define double @swapped(ptr %p) {
  %words = alloca [2 x %union.word]
  %second = getelementptr inbounds i8, ptr %words, i64 8
  %v = load double, ptr %p
  store double %v, ptr %words
  store ptr %p, ptr %second
  call void @swap(ptr %words, ptr %second)
  %w = load double, ptr %second
  %q = load ptr, ptr %words
  %u = load double, ptr %q
  %r = fmul double %w, %u
  ret double %r
}

declare void @__enzyme_autodiff(...)
define void @main(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @swapped, ptr %x, ptr %dx)
  ret void
}
