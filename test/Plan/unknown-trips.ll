; A loop whose trip count is known only when it has ended has a tape that grows.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(double %x) "isozyme-request"="reverse(active) -> active" {
entry:
  br label %loop
loop:
  %y = phi double [ %x, %entry ], [ %next, %loop ]
  %next = fmul double %y, %y
  %more = fcmp ogt double %next, 1.0e-3
  br i1 %more, label %loop, label %done
done:
  ret double %next
}

; CHECK: loop %loop: iv %iv, trip count known only afterwards
; CHECK: %y primal  for %next  cache #1  (depends on the path taken)
; CHECK: #1  double growable on stack %loop  8 bytes * iterations of %loop  %y primal
