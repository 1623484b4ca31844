; Operations on bits make an integer of what is at a place only where no float is known there:
; what callers and callees know of floats counts for more.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; The callers of this function know.
; CHECK-LABEL: types of @negate.prepared
; CHECK: %p -> every 8: {0..8 float double}
define internal void @negate(ptr %p, i64 %i) "isozyme-request"="augment(dup,const)->const" {
  %q = getelementptr i64, ptr %p, i64 %i
  %u = load i64, ptr %q
  %v = xor i64 %u, -9223372036854775808
  store i64 %v, ptr %q
  ret void
}
; CHECK-LABEL: types of @floats.prepared
; CHECK: %x -> every 8: {0..8 float double}
define double @floats(ptr %x, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  call void @negate(ptr %x, i64 %i)
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  ret double %v
}

; Nobody knows of a float.
; CHECK-LABEL: types of @count.prepared
; CHECK: %p -> {{.*}}integer
define internal void @count(ptr %p) "isozyme-request"="augment(dup)->const" {
  %u = load i64, ptr %p
  %v = add i64 %u, 1
  store i64 %v, ptr %p
  ret void
}
; CHECK-LABEL: types of @mean.prepared
; CHECK: %m -> {{.*}}{0..8 float double, 8..16 integer}
define double @mean(ptr %m) "isozyme-request"="reverse(dup)->active" {
  %n = getelementptr i8, ptr %m, i64 8
  call void @count(ptr %n)
  %v = load double, ptr %m
  ret double %v
}
; What is passed to the reverse half of a function that counts is a number: in this half,
; nothing counts.
; CHECK-LABEL: types of @half.prepared
; CHECK-NEXT: %bits: unknown
; CHECK-NEXT: %tape -> starts with {0..8 integer, 8..16 pointer}
define internal double @half(i64 "isozyme-number" %n, i64 %bits, double %seed, ptr %tape) "isozyme-request"="augment(const,const,active,dup)->active" {
  %next = load i64, ptr %tape
  %at = getelementptr i8, ptr %tape, i64 8
  %more = load ptr, ptr %at
  %is.last = icmp eq ptr %more, null
  br i1 %is.last, label %last, label %again
again:
  %d = call double @half(i64 %next, i64 %bits, double %seed, ptr %more)
  br label %last
last:
  %r = phi double [ %seed, %0 ], [ %d, %again ]
  ret double %r
}
