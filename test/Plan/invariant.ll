; What does not change in the inner loop is kept once per iteration of the outer loop.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(ptr noalias %x, ptr noalias %w, i64 %n) "isozyme-request"="reverse(dup, dup, const) -> active" {
entry:
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %total = phi double [ 0.0, %entry ], [ %sum.next, %row.end ]
  %wp = getelementptr inbounds double, ptr %w, i64 %i
  %wi = load double, ptr %wp
  %scale = call double @exp(double %wi)
  br label %col
col:
  %j = phi i64 [ 0, %row ], [ %j.next, %col ]
  %sum = phi double [ %total, %row ], [ %sum.next, %col ]
  %xp = getelementptr inbounds double, ptr %x, i64 %j
  %xj = load double, ptr %xp
  %term = fmul double %xj, %scale
  %sum.next = fadd double %sum, %term
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %col, label %row.end
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %row, label %done
done:
  ret double %sum.next
}
declare double @exp(double)

; CHECK: %scale primal  for %scale  cache #1  (expensive to compute again)
; CHECK: tape (local)
; CHECK: #1  double array %row  8 bytes * (%0+1)  %scale primal
