; Integers that turn out to be addresses, and are stored, become pointers; others stay.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @move
; CHECK: %a.address -> every 8: {0..8 float double}
define double @move(ptr %p, ptr %q) "isozyme-request"="reverse(dup,dup)->active" {
  %a = load i64, ptr %p
  store i64 %a, ptr %q
  %r = load ptr, ptr %q
  %v = load double, ptr %r
  ret double %v
}

; CHECK-LABEL: types of @compare
; CHECK: %a: pointer
define double @compare(ptr %p, double %x) "isozyme-request"="reverse(dup,active)->active" {
  %a = load i64, ptr %p
  %none = icmp eq i64 %a, 0
  %r = load ptr, ptr %p
  %v = load double, ptr %r
  %s = select i1 %none, double %x, double %v
  ret double %s
}
