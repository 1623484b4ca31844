; An address is handed to a function as a double, as the optimiser does with what it knows to be in a union: the function
; stores it without its shadow.
; RUN: not %opt -passes=autodiff -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK: error: {{.*}}an address is passed as the bits of a float in this call; {{.*}} [IZ202]
define internal void @put(ptr %to, double %t) noinline {
  store double %t, ptr %to
  ret void
}

define double @handed(ptr %p) {
  %word = alloca double
  %v = load double, ptr %p
  %address = ptrtoint ptr %p to i64
  %bits = bitcast i64 %address to double
  call void @put(ptr %word, double %bits)
  %q = load ptr, ptr %word
  %u = load double, ptr %q
  %r = fmul double %u, %v
  ret double %r
}

declare void @__enzyme_autodiff(...)
define void @main(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @handed, ptr %x, ptr %dx)
  ret void
}
