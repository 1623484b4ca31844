; -isozyme-keep=cache keeps whatever can be kept, -isozyme-keep=recompute only what cannot be computed
; again: the planner's choices in between are tested against both.
; RUN: %opt -isozyme-keep=cache -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=CACHE
; RUN: %opt -isozyme-keep=recompute -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=RECOMPUTE

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

; CACHE-DAG: %cheap primal  for %square  cache
; CACHE-DAG: %heavy primal  for %heavy  cache
; CACHE-NOT: {{recompute|reload}}
; RECOMPUTE: %heavy primal  for %heavy  recompute  (as asked)
; RECOMPUTE: %square primal  recompute
; RECOMPUTE-NOT: cache
