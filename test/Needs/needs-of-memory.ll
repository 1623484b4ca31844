; Loads and stores of floats need the shadow of their address, never the address itself; a
; load that is not active needs nothing.
; RUN: %opt -passes='print<isozyme-needs>' -disable-output %s 2>&1 | FileCheck %s

define void @f(ptr noalias %x, ptr noalias %y, ptr noalias %index) "isozyme-request"="reverse(dup, dup, const) -> const" {
  %i = load i64, ptr %index
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fadd double %v, 1.0
  store double %w, ptr %y
  ret void
}
; CHECK:      needs of
; CHECK-NEXT:   %from shadow for %v
; CHECK-NEXT:   %y shadow for store
; CHECK-NOT:  {{shadow|primal}}
