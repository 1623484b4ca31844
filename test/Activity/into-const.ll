; What is stored in const memory has no derivative when it is read again.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: argument %work: inactive
; CHECK: store volatile double %x{{.*}} ; inactive
; CHECK: %v = load {{.*}} ; inactive
; CHECK: ret double %r  ; active
define double @f(double %x, ptr %work) "isozyme-request"="reverse(active,const)->active" {
  store volatile double %x, ptr %work
  %v = load volatile double, ptr %work
  %r = fmul double %v, %x
  ret double %r
}
