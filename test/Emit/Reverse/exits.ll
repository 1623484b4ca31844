; A loop with two exits: the reverse of the exit that was taken sets the counter, and enters the
; reverse loop, through one place, at the block that was left.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %t, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %bad = fcmp olt double %v, 0.0
  br i1 %bad, label %early, label %latch
latch:
  %t = fadd double %s, %v
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
early:
  %e = fmul double %s, 2.0
  br label %done
done:
  %r = phi double [ %t, %latch ], [ %e, %early ]
  ret double %r
}
declare void @__enzyme_autodiff(ptr, ...)
define void @df(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %n)
  ret void
}

; CHECK:      rev.loop.dispatch:
; CHECK:        br i1 {{.*}}, label %rev.loop, label %rev.latch
; CHECK:      rev.loop.entry:
; CHECK-DAG:    phi i64 [ %iv.last2.kept.0, %rev.done.loopexit.to.latch ], [ %iv.last.kept.0, %rev.early.to.loop ]
; CHECK-DAG:    phi i32 [ 1, %rev.done.loopexit.to.latch ], [ 0, %rev.early.to.loop ]
; CHECK:        br label %rev.loop.dispatch
; CHECK:      rev.done:
; CHECK-NEXT:   icmp eq i8 %from, 0
