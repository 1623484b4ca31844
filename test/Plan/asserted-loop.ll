; An assertion in a loop: where it fails nothing is reversed, so the loop runs n times, and the
; tape is one array. A second way out that returns leaves the count unknown.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @asserted
; CHECK: double array %loop  8 bytes * (%{{.*}}+1)  %s primal
define double @asserted(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %t, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %good = fcmp ogt double %v, 0.0
  br i1 %good, label %latch, label %fail
latch:
  %sv = fmul double %s, %v
  %t = fmul double %sv, %s
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %t
fail:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable
}

; CHECK-LABEL: @left
; CHECK: double growable on stack %loop  8 bytes * iterations of %loop  %s primal
define double @left(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %t, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %good = fcmp ogt double %v, 0.0
  br i1 %good, label %latch, label %early
latch:
  %sv = fmul double %s, %v
  %t = fmul double %sv, %s
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %t
early:
  ret double 0.0
}

declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn
declare void @__enzyme_autodiff(ptr, ...)
define void @d(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @asserted, ptr %x, ptr %dx, i64 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @left, ptr %x, ptr %dx, i64 %n)
  ret void
}
