; Pointers that loops move on by more than one distance are numbers of steps from where they begin.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; A triangle by rows: the number goes from one row to the next, whatever the address is.
; CHECK-LABEL: prepared function for @triangle
; CHECK: rows:
; CHECK-NOT: phi ptr
; CHECK: %[[STEPS:p.steps]] = phi i64 [ 0, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK-NOT: phi ptr
; CHECK: %[[NOW:.*]] = add i64 %[[STEPS]], %iv{{.*}}
; CHECK: getelementptr double, ptr %a, i64 %[[NOW]]
; CHECK-NOT: phi ptr
; CHECK: ret double
define double @triangle(ptr %a, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %p = phi ptr [ %a, %entry ], [ %p.row, %rows.latch ]
  %total = phi double [ 0.0, %entry ], [ %sum.row, %rows.latch ]
  br label %for
for:
  %j = phi i64 [ 0, %rows ], [ %j.next, %for ]
  %q = phi ptr [ %p, %rows ], [ %q.next, %for ]
  %sum = phi double [ %total, %rows ], [ %more, %for ]
  %v = load double, ptr %q
  %square = fmul double %v, %v
  %more = fadd double %sum, %square
  %q.next = getelementptr double, ptr %q, i64 1
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %i
  br i1 %again, label %for, label %rows.latch
rows.latch:
  %p.row = phi ptr [ %q.next, %for ]
  %sum.row = phi double [ %more, %for ]
  %i.next = add nuw nsw i64 %i, 1
  %more.rows = icmp ult i64 %i.next, %n
  br i1 %more.rows, label %rows, label %exit
exit:
  ret double %sum.row
}

; Moves of 8 and of 12 bytes: steps of 4.
; CHECK-LABEL: prepared function for @distances
; CHECK: for:
; CHECK: %p.steps = phi i64
; CHECK-NOT: phi ptr
; CHECK: %[[AT:.*]] = getelementptr [4 x i8], ptr %a, i64 %p.steps
; CHECK: load float, ptr %[[AT]]
; CHECK: %[[NEAR:.*]] = add i64 %p.steps, 2
; CHECK: %[[FAR:.*]] = add i64 %p.steps, 3
; CHECK: phi i64 [ %[[NEAR]], %near ], [ %[[FAR]], %far ]
; CHECK-NOT: getelementptr
; CHECK: ret float
define float @distances(ptr %a, ptr %which, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %for
for:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %p = phi ptr [ %a, %entry ], [ %p.next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %more, %latch ]
  %v = load float, ptr %p
  %square = fmul float %v, %v
  %more = fadd float %sum, %square
  %at = getelementptr i32, ptr %which, i64 %j
  %w = load i32, ptr %at
  %is = icmp eq i32 %w, 0
  br i1 %is, label %near, label %far
near:
  %p.near = getelementptr i8, ptr %p, i64 8
  br label %latch
far:
  %p.far = getelementptr i8, ptr %p, i64 12
  br label %latch
latch:
  %p.next = phi ptr [ %p.near, %near ], [ %p.far, %far ]
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %for, label %exit
exit:
  ret float %more
}

; One distance each time is a counter's; two beginnings have no number in common; a list has none.
; CHECK-LABEL: prepared function for @others
; CHECK-NOT: .steps
; CHECK: %two = phi ptr [ %a,
; CHECK-NEXT: %node = phi ptr [ %list,
; CHECK-NOT: .steps
; CHECK: ret double
define double @others(ptr %a, ptr %b, ptr %list, i64 %n) "isozyme-request"="reverse(dup,dup,dup,const)->active" {
entry:
  br label %for
for:
  %j = phi i64 [ 0, %entry ], [ %j.next, %for ]
  %one = phi ptr [ %a, %entry ], [ %one.next, %for ]
  %two = phi ptr [ %a, %entry ], [ %two.next, %for ]
  %node = phi ptr [ %list, %entry ], [ %node.next, %for ]
  %sum = phi double [ 0.0, %entry ], [ %more, %for ]
  %u = load double, ptr %one
  %v = load double, ptr %two
  %value.at = getelementptr i8, ptr %node, i64 8
  %w = load double, ptr %value.at
  %uv = fmul double %u, %v
  %uvw = fmul double %uv, %w
  %more = fadd double %sum, %uvw
  %one.next = getelementptr double, ptr %one, i64 1
  %two.more = getelementptr double, ptr %two, i64 1
  %is = icmp eq i64 %j, 3
  %two.next = select i1 %is, ptr %b, ptr %two.more
  %node.next = load ptr, ptr %node
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}
