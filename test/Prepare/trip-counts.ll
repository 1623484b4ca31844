; The last counter value is known before a loop only if no exit is a matter of data.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; The inner trip count depends on the outer counter, without any new variable.
; CHECK-LABEL: prepared function for @triangle
; CHECK: [[OUTER:%.*]] = phi i64 [ 0, %entry ]
; CHECK-NOT: phi
; CHECK: [[INNER:%.*]] = phi i64 [ 0, %row ]
; CHECK: loop %row: depth 1, counter [[OUTER]], last %{{.*}}
; CHECK-NEXT: loop %col: depth 2, counter [[INNER]], last [[OUTER]]
define void @triangle(ptr %a, i64 %n) {
entry:
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  br label %col
col:
  %j = phi i64 [ 0, %row ], [ %j.next, %col ]
  %p = getelementptr double, ptr %a, i64 %j
  store double 1.0, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %c = icmp ule i64 %j.next, %i
  br i1 %c, label %col, label %row.end
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, %n
  br i1 %d, label %row, label %exit
exit:
  ret void
}

; A break out of both loops: each exit block has the last value of each loop left.
; CHECK-LABEL: prepared function for @search
; CHECK: loop %row: depth 1, counter %iv, last %{{.*}} at %{{.*}}, last %{{.*}} at
; CHECK-NEXT: loop %col: depth 2, counter %{{.*}}, last %{{.*}} at %{{.*}}, last %{{.*}} at
define i64 @search(ptr %a, i64 %n) {
entry:
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  br label %col
col:
  %j = phi i64 [ 0, %row ], [ %j.next, %col.end ]
  %p = getelementptr double, ptr %a, i64 %j
  %v = load double, ptr %p
  %hit = fcmp oeq double %v, 0.0
  br i1 %hit, label %found, label %col.end
col.end:
  %j.next = add nuw nsw i64 %j, 1
  %c = icmp ult i64 %j.next, %n
  br i1 %c, label %col, label %row.end
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %d = icmp ult i64 %i.next, %n
  br i1 %d, label %row, label %exit
found:
  %r = mul i64 %i, %j
  ret i64 %r
exit:
  ret i64 -1
}

; Overflow of the step would make this loop endless: no count, no assumption.
; CHECK-LABEL: prepared function for @mayNotEnd
; CHECK: loop %loop: depth 1, counter %iv, last %iv.last at %exit
define void @mayNotEnd(ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  store volatile i32 %i, ptr %a
  %i.next = add i32 %i, 2
  %c = icmp ne i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
