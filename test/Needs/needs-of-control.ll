; The reverse sweep needs to know which way control came, and in which iteration a loop was left;
; a select needs its condition.
; RUN: %opt -passes='print<isozyme-needs>' -disable-output %s 2>&1 | FileCheck %s

define double @f(double %x, i1 %c, i1 %d) "isozyme-request"="reverse(active, const, const) -> active" {
entry:
  %start = select i1 %d, double %x, double 1.0
  br label %loop
loop:
  %y = phi double [ %start, %entry ], [ %z, %latch ]
  br i1 %c, label %double, label %latch
double:
  %twice = fadd double %y, %y
  br label %latch
latch:
  %z = phi double [ %y, %loop ], [ %twice, %double ]
  %more = fcmp olt double %z, 100.0
  br i1 %more, label %loop, label %done
done:
  ret double %z
}
; CHECK:      needs of
; CHECK-NEXT:   %d primal for %start
; CHECK-NEXT:   %iv.last primal for last iteration of %loop
; CHECK-NEXT:   %from primal for way back from %latch
