; Float bits in integers stay active if they become a float again, and only then.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: activity of @root
; CHECK: %s = lshr {{.*}} ; active
; CHECK: %m = and {{.*}} ; active
define double @root(double %x) "isozyme-request"="reverse(active)->active" {
  %b = bitcast double %x to i64
  %s = lshr i64 %b, 1
  %m = and i64 %s, -70368744177664
  %y = bitcast i64 %m to double
  ret double %y
}

; CHECK-LABEL: activity of @exponent
; CHECK: %s = lshr {{.*}} ; inactive
; CHECK: %e = sitofp {{.*}} ; inactive
define double @exponent(double %x) "isozyme-request"="reverse(active)->active" {
  %b = bitcast double %x to i64
  %s = lshr i64 %b, 52
  %m = sub i64 %s, 1023
  %e = sitofp i64 %m to double
  %y = fmul double %e, %x
  ret double %y
}
