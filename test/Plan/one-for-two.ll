; Two values are needed. What both can be computed from is kept instead, or the one that the
; other follows from: never more bytes than necessary.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %a = fadd double %v, 1.0
  %b = fsub double %v, 1.0
  %ab = fmul double %a, %b
  store double %ab, ptr %p
  %sum.next = fadd double %sum, %ab
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}
define double @joined(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr inbounds [16 x i8], ptr %x, i64 %i
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %v = load double, ptr %p
  %w = load double, ptr %q
  %s = fadd double %v, %w
  %t = fadd double %s, 1.0
  %u = fmul double %s, %t
  store double %u, ptr %p
  store double %u, ptr %q
  %sum.next = fadd double %sum, %u
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}

; CHECK-LABEL: plan for reverse(@f:
; CHECK-DAG:     %a primal  for %ab  recompute  (cheap)
; CHECK-DAG:     %b primal  for %ab  recompute  (cheap)
; CHECK-DAG:     %v primal  cache #1  (may be overwritten)
; CHECK-NOT:     #2
; CHECK-LABEL: plan for reverse(@joined:
; CHECK-DAG:     %t primal  for %u  recompute  (cheap)
; CHECK-DAG:     %s primal  for %u  cache #1  (cheaper than what it is computed from)
; CHECK-NOT:     #2
