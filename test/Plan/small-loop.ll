; The array of a short loop with a constant trip count is on the stack.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(ptr %x) "isozyme-request"="reverse(dup) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum.next = fadd double %sum, %e
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 8
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}
declare double @exp(double)

; CHECK: #1  double array on stack %loop  8 bytes * 8  %e primal
