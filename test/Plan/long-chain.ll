; Operations count: a few are repeated rather than kept, and of a long chain
; the end is kept rather than the start, unless everything is to be computed again.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-fuse=0 -isozyme-keep=recompute -passes='print<isozyme-plan>' -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=AGAIN

define double @f(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %short = fadd double %v, 1.0
  %s2 = fmul double %short, %short
  %a = fdiv double %v, 7.0
  %b = fdiv double %a, 3.0
  %c = fadd double %b, 1.0
  %d = fdiv double %c, 5.0
  %e = fadd double %d, 1.0
  %long = fdiv double %e, 9.0
  %s3 = fmul double %long, %s2
  %s4 = fmul double %s3, %s3
  %sum.next = fadd double %sum, %s4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; CHECK-DAG: %short primal  for %s2  recompute  (cheap)
; CHECK-DAG: %s2 primal  for %s3  recompute  (cheap)
; CHECK-DAG: %long primal  for %s3  cache #1  (cheaper than what it is computed from)
; AGAIN-NOT: cache
; AGAIN:     tape (local)
