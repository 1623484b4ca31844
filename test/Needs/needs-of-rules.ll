; A rule needs what the partials of its active operands read: sqrt its result, a product the
; other factor, a quotient by its dividend only the divisor; sums need nothing.
; RUN: %opt -passes='print<isozyme-needs>' -disable-output %s 2>&1 | FileCheck %s

define double @f(double %x, double %y, double %c) "isozyme-request"="reverse(active, active, const) -> active" {
  %root = call double @llvm.sqrt.f64(double %x)
  %product = fmul double %root, %y
  %scaled = fmul double %product, %c
  %quotient = fdiv double %scaled, %c
  %sum = fadd double %quotient, %y
  ret double %sum
}
; CHECK:      needs of reverse(@f: active double, active double, const double) -> active, width 1
; CHECK-NEXT:   %root primal for %root
; CHECK-NEXT:   %y primal for %product
; CHECK-NEXT:   %c primal for %scaled
; CHECK-NOT:  primal
