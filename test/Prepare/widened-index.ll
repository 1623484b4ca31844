; An index that is widened in the loop depends on the counter directly.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @widened
; CHECK: [[N:%.*]] = sext i32 %lo to i64
; CHECK: %iv = phi i64
; CHECK: [[I:%.*]] = add {{.*}}i64 [[N]], %iv
; CHECK-NEXT: getelementptr double, ptr %x, i64 [[I]]
define double @widened(ptr %x, i32 %lo, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %lo, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr double, ptr %x, i64 %wide
  %v = load double, ptr %p
  %s.next = fadd double %s, %v
  %i.next = add nsw i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}
