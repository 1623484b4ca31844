; A call asks for what the reverse half of its callee reads, and for nothing else.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(double %x, double %y) "isozyme-request"="reverse(active, active) -> active" {
  %a = fmul double %x, 2.0
  %b = fmul double %y, 2.0
  %r = call double @first(double %a, double %b)
  ret double %r
}
define double @first(double %a, double %b) noinline {
  %s = fmul double %a, %a
  %r = fadd double %s, %b
  ret double %r
}

; CHECK:      needs
; CHECK-NEXT:   %a primal  for %r  available  (same function)
; CHECK-NEXT: tape (local)
; CHECK-NEXT: calls
