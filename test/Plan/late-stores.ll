; A store that runs once, at the end of a combined derivative, waits for the reverse sweep if it may
; overwrite what that reads, and if nothing sees the difference.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @norm(ptr %x, i64 %n) noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %w = fmul double %v, %v
  %sum.next = fadd double %sum, %w
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; What the callee reads may be read again as well.
define void @last(ptr %x, i64 %n, ptr %out) "isozyme-request"="reverse(dup, const, dup) -> const" {
  %s = call double @norm(ptr %x, i64 %n)
  %old = load double, ptr %x
  %sq = fmul double %old, %s
  store double %sq, ptr %out
  ret void
}
; CHECK-LABEL: plan for reverse(@last
; CHECK:         @norm   differentiate   augment(@norm: dup ptr, const i64
; CHECK:         store to %out in %0  done after the reverse sweep

; In order, one after the other.
define void @two(ptr %x, i64 %n, ptr %out) "isozyme-request"="reverse(dup, const, dup) -> const" {
  %s = call double @norm(ptr %x, i64 %n)
  store double %s, ptr %out
  %other = getelementptr double, ptr %x, i64 %n
  store double 1.0, ptr %other
  ret void
}
; CHECK-LABEL: plan for reverse(@two
; CHECK:         store to %out in
; CHECK-NEXT:    store to %other in

; Another load may read what was stored, or another store overwrite it.
define double @read(ptr %x, i64 %n, ptr %out) "isozyme-request"="reverse(dup, const, dup) -> active" {
  %s = call double @norm(ptr %x, i64 %n)
  store double %s, ptr %out
  %v = load double, ptr %x
  ret double %v
}
; CHECK-LABEL: plan for reverse(@read
; CHECK:         @norm   differentiate   augment(@norm: dup ptr overwritten, const i64
; CHECK-NOT:     done after

define void @branch(ptr %x, i64 %n, ptr %out, i1 %c) "isozyme-request"="reverse(dup, const, dup, const) -> const" {
  %s = call double @norm(ptr %x, i64 %n)
  br i1 %c, label %then, label %done
then:
  store double %s, ptr %out
  br label %done
done:
  ret void
}
; CHECK-LABEL: plan for reverse(@branch
; CHECK-NOT:     done after

define void @volatile(ptr %x, i64 %n, ptr %out) "isozyme-request"="reverse(dup, const, dup) -> const" {
  %s = call double @norm(ptr %x, i64 %n)
  store volatile double %s, ptr %out
  ret void
}
; CHECK-LABEL: plan for reverse(@volatile
; CHECK-NOT:     done after

declare void @unknown() "enzyme_inactive"
define void @call(ptr %x, i64 %n, ptr %out) "isozyme-request"="reverse(dup, const, dup) -> const" {
  %s = call double @norm(ptr %x, i64 %n)
  store double %s, ptr %out
  call void @unknown()
  ret void
}
; CHECK-LABEL: plan for reverse(@call
; CHECK-NOT:     done after

; A call that surely comes back and does not look there is not in the way.
declare double @lgamma(double) nounwind
define double @prior(double %a) noinline nounwind {
  %g = call double @lgamma(double %a)
  ret double %g
}
define double @harmless(ptr %x, i64 %n, ptr %out) "isozyme-request"="reverse(dup, const, dup) -> active" {
  %s = call double @norm(ptr %x, i64 %n)
  store double %s, ptr %out
  %p = call double @prior(double 3.0)
  ret double %p
}
; CHECK-LABEL: plan for reverse(@harmless
; CHECK:         store to %out in

; The caller of a first half sees what it has stored.
define void @half(ptr %x, i64 %n, ptr %out) "isozyme-request"="augment(dup, const, dup) -> const" {
  %s = call double @norm(ptr %x, i64 %n)
  store double %s, ptr %out
  ret void
}
; CHECK-LABEL: plan for augment(@half
; CHECK-NOT:     done after

; Nothing is won.
define void @apart(ptr noalias %x, i64 %n, ptr noalias %out) "isozyme-request"="reverse(dup, const, dup) -> const" {
  %s = call double @norm(ptr %x, i64 %n)
  store double %s, ptr %out
  ret void
}
; CHECK-LABEL: plan for reverse(@apart
; CHECK-NOT:     done after

; An address that is stored: its shadow is stored when it is.
define double @address(ptr %field, ptr %other) "isozyme-request"="reverse(dup, dup) -> active" {
  %data = load ptr, ptr %field
  %v = load double, ptr %data
  %w = load double, ptr %other
  %r = fmul double %v, %w
  store ptr %other, ptr %field
  ret double %r
}
; CHECK-LABEL: plan for reverse(@address
; CHECK:         store %field: store address  after the reverse sweep
; CHECK:         store to %field in %0  done after the reverse sweep
