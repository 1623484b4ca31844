; What a counter was in the iteration before is computed from the counter, too: only in the first
; iteration it is something else. It is a value like any other, which need not be kept.
; RUN: %opt -passes='print<isozyme-prepared>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK-LABEL: prepared function for @round
; CHECK: loop:
; CHECK-NEXT: %iv = phi i64 [ 0, %entry ], [ %i.next, %loop ]
; CHECK-NEXT: %s = phi double
; CHECK: [[BEFORE:%.*]] = add i64 -1, %iv
; CHECK: [[FIRST:%.*]] = icmp eq i64 %iv, 0
; CHECK: %before = select i1 [[FIRST]], i64 %last, i64 [[BEFORE]]
; CHECK: exit:
; PLAN-LABEL: derivative plan for reverse(@round
; PLAN: %before primal  recompute  (cheap)
; PLAN-NOT: i64 array
define double @round(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %last = sub i64 %n, 1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %before = phi i64 [ %last, %entry ], [ %i, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %x, i64 %before
  %v = load double, ptr %p
  %w = load double, ptr %q
  %t = fmul double %v, %w
  %s.next = fadd double %s, %t
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}

; What is behind two iterations is carried on as it is.
; CHECK-LABEL: prepared function for @twice
; CHECK: %earlier = phi i64 [ 9, %entry ], [ %before, %loop ]
; CHECK: %before = select
define double @twice(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %before = phi i64 [ 7, %entry ], [ %i, %loop ]
  %earlier = phi i64 [ 9, %entry ], [ %before, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr double, ptr %x, i64 %earlier
  %v = load double, ptr %p
  %t = fmul double %v, %v
  %s.next = fadd double %s, %t
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}

; From one iteration to the next it is behind the counter from the beginning: nothing is chosen.
; CHECK-LABEL: prepared function for @neighbours
; CHECK-NOT: select
; CHECK: %before = add i64 %lo, %iv
; CHECK-NOT: select
; CHECK: exit:
; PLAN-LABEL: derivative plan for reverse(@neighbours
; PLAN: carries the adjoints of %v +0 %w +1
define double @neighbours(ptr %x, i64 %lo, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %first = add i64 %lo, 1
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %i.next, %loop ]
  %before = phi i64 [ %lo, %entry ], [ %i, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %x, i64 %before
  %v = load double, ptr %p
  %w = load double, ptr %q
  %t = fmul double %v, %w
  %s.next = fadd double %s, %t
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}

; So it is in the lowest 32 bits, and no others are read.
; CHECK-LABEL: prepared function for @widened
; CHECK-NOT: select
; CHECK: %before = add i64 %wide, %iv
; CHECK-NOT: select
; CHECK: exit:
define double @widened(ptr %x, i32 %row, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %wide = zext i32 %row to i64
  %above = add i32 %row, 1
  %first = sext i32 %above to i64
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %i.next, %loop ]
  %before = phi i64 [ %wide, %entry ], [ %i, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %narrow = trunc i64 %before to i32
  %far = add i32 %narrow, 7
  %index = sext i32 %far to i64
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %x, i64 %index
  %v = load double, ptr %p
  %w = load double, ptr %q
  %t = fmul double %v, %w
  %s.next = fadd double %s, %t
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}

; Here all of them are read, and the highest of the first may be others.
; CHECK-LABEL: prepared function for @wide
; CHECK: %before = select
define double @wide(ptr %x, i32 %row, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %wide = zext i32 %row to i64
  %above = add i32 %row, 1
  %first = sext i32 %above to i64
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %i.next, %loop ]
  %before = phi i64 [ %wide, %entry ], [ %i, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %x, i64 %before
  %v = load double, ptr %p
  %w = load double, ptr %q
  %t = fmul double %v, %w
  %s.next = fadd double %s, %t
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}

; A truncation whose flags say something of them is poison with others.
; CHECK-LABEL: prepared function for @flagged
; CHECK: %before = select
define double @flagged(ptr %x, i32 %row, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %wide = zext i32 %row to i64
  %above = add i32 %row, 1
  %first = sext i32 %above to i64
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %i.next, %loop ]
  %before = phi i64 [ %wide, %entry ], [ %i, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %narrow = trunc nuw i64 %before to i32
  %index = sext i32 %narrow to i64
  %p = getelementptr double, ptr %x, i64 %i
  %q = getelementptr double, ptr %x, i64 %index
  %v = load double, ptr %p
  %w = load double, ptr %q
  %t = fmul double %v, %w
  %s.next = fadd double %s, %t
  %i.next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}
