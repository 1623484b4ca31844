; The tape of a recursive function is in a box on the heap, which the reverse half opens and
; releases.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @power(double %x, i32 %n) noinline {
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
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x, i32 %n) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @power, double %x, i32 %n)
  ret double %g
}

; CHECK-LABEL: define internal { double, ptr } @augment.power(
; CHECK:         call { double, ptr } @augment.power(double %x, i32 %m)
; CHECK:         %box = call ptr @isozyme.tape.push(i64 16)
; What it is passed stays a number, for derivatives of this half.
; CHECK-LABEL: define internal { double } @reverse.from.tape.power(double %x, i32 "isozyme-number" %n, double %seed, ptr %tape)
; CHECK:         %unboxed = load double, ptr %
; CHECK:         load ptr, ptr %
; CHECK:         call void @isozyme.tape.pop(ptr %tape)
; CHECK:         call { double } @reverse.from.tape.power(
