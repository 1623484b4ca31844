; What is kept costs memory: bytes times iterations, and the reason.
; RUN: %opt -isozyme-fuse=0 -passes=autodiff -pass-remarks-missed=isozyme -disable-output %s 2>&1 | FileCheck %s --implicit-check-not=remark

define double @f(ptr %x, i64 %n) {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %total = phi double [ 0.0, %entry ], [ %sum.next, %rows.end ]
  br label %cols
cols:
  %j = phi i64 [ 0, %rows ], [ %j.next, %cols ]
  %sum = phi double [ %total, %rows ], [ %sum.next, %cols ]
  %p = getelementptr inbounds double, ptr %x, i64 %j
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum.next = fadd double %sum, %e
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, 20
  br i1 %more, label %cols, label %rows.end
rows.end:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %rows, label %done
done:
  ret double %sum.next
}
declare double @exp(double)

declare void @__enzyme_autodiff(ptr, ...)
define void @df(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %n)
  ret void
}
; CHECK: remark: <unknown>:0:0: 'e' is kept for the reverse sweep: 8 bytes * 20 * iterations of the loop 'rows'; expensive to compute again
