; exp is dear: its result is kept. The sum is computed again from a load that is repeated.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %cheap = fadd double %v, 1.0
  %square = fmul double %cheap, %cheap
  %heavy = call double @exp(double %square)
  %sum.next = fadd double %sum, %heavy
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}
declare double @exp(double)

; CHECK-DAG: %cheap primal  for %square  recompute  (cheap)
; CHECK-DAG: %v primal  reload  (not overwritten afterwards)
; CHECK-DAG: %heavy primal  for %heavy  cache #1  (expensive to compute again)
; CHECK:     #1  double array %loop  8 bytes * (%0+1)  %heavy primal
; CHECK-NOT: #2
