; The tape of a function that calls itself is passed by address, in a box: its type is not
; known while it is being planned. To the caller it is one value.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(double %x, i32 %n) "isozyme-request"="reverse(active, const) -> active" {
  %r = call double @power(double %x, i32 %n)
  ret double %r
}
define double @power(double %x, i32 %n) noinline "isozyme-request"="augment(active, const overwritten) -> active" {
entry:
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %again
again:
  %m = sub i32 %n, 1
  %below = call double @power(double %x, i32 %m)
  %product = fmul double %below, %x
  br label %done
done:
  %r = phi double [ 1.0, %entry ], [ %product, %again ]
  ret double %r
}

; CHECK-LABEL: plan for reverse(@f:
; CHECK:         %r tape  for %r  available  (same function)
; CHECK-LABEL: plan for augment(@power:
; CHECK:         %below tape  for %below  cache
; CHECK:         ptr scalar  8 bytes  %below tape
; CHECK:         @power   differentiate   augment(@power: {{.*}}   recursive
