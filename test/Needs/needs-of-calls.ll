; A call needs what the reverse half of the callee reads of its arguments, and the tape that its
; forward half has returned.
; RUN: %opt -passes='print<isozyme-needs>' -disable-output %s 2>&1 | FileCheck %s

define double @f(ptr %p, double %x, double %unread) "isozyme-request"="reverse(dup, active, active) -> active" {
  %r = call double @g(ptr %p, double %x, double %unread)
  ret double %r
}
define double @g(ptr %p, double %x, double %unread) noinline {
  %old = load double, ptr %p
  %e = call double @exp(double %old)
  %new = fmul double %old, %x
  store double %new, ptr %p
  %r = fadd double %e, %unread
  ret double %r
}
declare double @exp(double)
; CHECK:      needs of
; CHECK-NEXT:   %p shadow for %r
; CHECK-NEXT:   %x primal for %r
; CHECK-NEXT:   %r tape for %r
; CHECK-NOT:  {{shadow|primal|tape}}
