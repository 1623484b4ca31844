; A counter that wraps around is still the loop's counter modulo its width.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @wrap
; CHECK: [[NARROW:%.*]] = trunc i64 %iv to i8
; CHECK: %i = add i8 -6, [[NARROW]]
; CHECK: loop %loop: depth 1, counter %iv, last 10
define double @wrap(double %x) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 250, %entry ], [ %i.next, %loop ]
  %s = phi double [ %x, %entry ], [ %s.next, %loop ]
  %v = uitofp i8 %i to double
  %s.next = fadd double %s, %v
  %i.next = add i8 %i, 1
  %c = icmp ne i8 %i.next, 5
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}
