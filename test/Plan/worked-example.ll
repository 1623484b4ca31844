; The plan that docs/architecture.md explains.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: derivative plan for reverse(@sumexp: dup ptr, const i64) -> active, width 1
; CHECK-NEXT: loop %for: iv %iv, last %0, known before the loop
; CHECK: %p shadow  for %v  recompute  (cheap)
; CHECK-NEXT: %x shadow  available  (argument)
; CHECK: %e primal  for %e  cache #1  (expensive to compute again)
; CHECK: %0 primal  for last iteration of %for  recompute  (cheap)
; CHECK: tape (local)
; CHECK-NEXT: #0  ptr scalar  8 bytes  base of #1
; CHECK-NEXT: #1  double array %for  8 bytes * (%0+1)  %e primal
; CHECK: steps
; CHECK-NEXT: %e = call @exp: rule  zero stays zero in #0
; CHECK-NEXT: loop %for  touches other memory in each iteration of its reverse
; CHECK-NEXT: forecast  136 bytes of tape; work 859 forward + 956 reverse, of the function 723; assumed 16 iterations of %for
define double @sumexp(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %for, label %exit
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  %r = phi double [0.0, %entry], [%sum, %for]
  ret double %r
}
declare double @exp(double)
