; Pointers that were integers for a while are distances from where they started.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: prepared function for @tagged
; CHECK: %i = ptrtoint ptr %p to i64
; CHECK: %a = and i64 %i, -8
; CHECK: %[[D:.*]] = sub i64 %a, %i
; CHECK: %q = getelementptr i8, ptr %p, i64 %[[D]]
define double @tagged(ptr %p) "isozyme-request"="reverse(dup)->active" {
  %i = ptrtoint ptr %p to i64
  %a = and i64 %i, -8
  %q = inttoptr i64 %a to ptr
  %v = load double, ptr %q
  ret double %v
}

; What is kept in memory as an integer is loaded and stored as a pointer.
; CHECK-LABEL: prepared function for @kept
; CHECK: store ptr %{{.*}}, ptr %slot
; CHECK: %[[P:.*]] = load ptr, ptr %slot
; CHECK-NOT: inttoptr
; CHECK: ret double
define double @kept(ptr %p, ptr %slot) "isozyme-request"="reverse(dup,dup)->active" {
  %i = ptrtoint ptr %p to i64
  %t = or i64 %i, 1
  store i64 %t, ptr %slot
  call void @barrier(ptr %slot)
  %l = load i64, ptr %slot
  %a = and i64 %l, -8
  %q = inttoptr i64 %a to ptr
  %v = load double, ptr %q
  ret double %v
}

; Of two pointers, nobody knows which: it stays as it is.
; CHECK-LABEL: prepared function for @both
; CHECK: inttoptr
define double @both(ptr %p, ptr %r) "isozyme-request"="reverse(dup,dup)->active" {
  %i = ptrtoint ptr %p to i64
  %j = ptrtoint ptr %r to i64
  %a = xor i64 %i, %j
  %q = inttoptr i64 %a to ptr
  %v = load double, ptr %q
  ret double %v
}

declare void @barrier(ptr)
