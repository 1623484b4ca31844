; Integers and numbers that a loop reads and does not write are read in front of it; that sqrt may set errno, an
; int, does not matter. Trip counts are then known, and what was carried is the same everywhere.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

declare double @sqrt(double) nounwind willreturn
declare void @unknown() nounwind willreturn

; As optimisers leave it: the count is read again at the end of each iteration, for sqrt may have changed it.
; CHECK-LABEL: prepared function for @nest
; CHECK: %columns = load i32, ptr %o
; CHECK-NOT: load i32
; CHECK: ret double
; CHECK: loop %rows: depth 1, counter %{{.*}}, last %{{[0-9]+$}}
; CHECK: loop %for: depth 2, counter %{{.*}}, last %{{[0-9]+$}}
define double @nest(ptr %x, ptr %o, i32 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %columns = load i32, ptr %o
  br label %rows
rows:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rows.latch ]
  %m = phi i32 [ %columns, %entry ], [ %m.now, %rows.latch ]
  %sum.row = phi double [ 0.0, %entry ], [ %sum.now, %rows.latch ]
  %any = icmp sgt i32 %m, 0
  br i1 %any, label %for, label %rows.latch
for:
  %j = phi i32 [ 0, %rows ], [ %j.next, %for ]
  %sum = phi double [ %sum.row, %rows ], [ %more, %for ]
  %at = getelementptr double, ptr %x, i32 %j
  %v = load double, ptr %at
  %r = call double @sqrt(double %v)
  %more = fadd double %sum, %r
  %j.next = add nuw nsw i32 %j, 1
  %m.again = load i32, ptr %o
  %again = icmp slt i32 %j.next, %m.again
  br i1 %again, label %for, label %rows.latch
rows.latch:
  %m.now = phi i32 [ %m, %rows ], [ %m.again, %for ]
  %sum.now = phi double [ %sum.row, %rows ], [ %more, %for ]
  %i.next = add nuw nsw i32 %i, 1
  %more.rows = icmp slt i32 %i.next, %n
  br i1 %more.rows, label %rows, label %exit
exit:
  ret double %sum.now
}

; A call that may write, a store to the same memory, and a load that the function may never come to
; and that it has not read before: they stay.
; CHECK-LABEL: prepared function for @called
; CHECK: for:
; CHECK: load i32, ptr %o
define double @called(ptr %x, ptr %o) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %j = phi i32 [ 0, %entry ], [ %j.next, %for ]
  %sum = phi double [ 0.0, %entry ], [ %more, %for ]
  %at = getelementptr double, ptr %x, i32 %j
  %v = load double, ptr %at
  call void @unknown()
  %more = fadd double %sum, %v
  %j.next = add nuw nsw i32 %j, 1
  %m = load i32, ptr %o
  %again = icmp slt i32 %j.next, %m
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; CHECK-LABEL: prepared function for @written
; CHECK: for:
; CHECK: load i32, ptr %o
define double @written(ptr %x, ptr %o) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %j = phi i32 [ 0, %entry ], [ %j.next, %for ]
  %sum = phi double [ 0.0, %entry ], [ %more, %for ]
  %at = getelementptr double, ptr %x, i32 %j
  %v = load double, ptr %at
  %more = fadd double %sum, %v
  %j.next = add nuw nsw i32 %j, 1
  %m = load i32, ptr %o
  %less = sub i32 %m, 1
  store i32 %less, ptr %o
  %again = icmp slt i32 %j.next, %m
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; CHECK-LABEL: prepared function for @maybe
; CHECK: then:
; CHECK: load i32, ptr %o
define double @maybe(ptr %x, ptr %o, i32 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %for
for:
  %j = phi i32 [ 0, %entry ], [ %j.next, %latch ]
  %sum = phi double [ 0.0, %entry ], [ %more, %latch ]
  %at = getelementptr double, ptr %x, i32 %j
  %v = load double, ptr %at
  %positive = fcmp ogt double %v, 0.0
  br i1 %positive, label %then, label %latch
then:
  %m = load i32, ptr %o
  %factor = sitofp i32 %m to double
  %p = fmul double %v, %factor
  br label %latch
latch:
  %share = phi double [ %p, %then ], [ %v, %for ]
  %more = fadd double %sum, %share
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp slt i32 %j.next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; A number that is read in each iteration, where the loop writes behind it, in the same row: by what step, and from
; which element on, says that it is elsewhere.
; CHECK-LABEL: prepared function for @row
; CHECK: load double, ptr %factor
; CHECK: for:
; CHECK-NOT: load double, ptr %factor
; CHECK: ret void
define void @row(ptr %a, i64 %i, i64 %k, i64 %n) "isozyme-request"="reverse(dup,const,const,const)->const" {
entry:
  %start = mul i64 %i, %n
  %row = getelementptr double, ptr %a, i64 %start
  %factor = getelementptr double, ptr %row, i64 %k
  %first = add i64 %k, 1
  br label %for
for:
  %j = phi i64 [ %first, %entry ], [ %next, %for ]
  %f = load double, ptr %factor
  %at = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %at
  %w = fmul double %v, %f
  store double %w, ptr %at
  %next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %for
done:
  ret void
}

; The loop begins at the number itself, or may come to it from below: it is read again.
; CHECK-LABEL: prepared function for @itself
; CHECK: for:
; CHECK: load double, ptr %factor
; CHECK: ret void
define void @itself(ptr %a, i64 %k, i64 %n) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %factor = getelementptr double, ptr %a, i64 %k
  br label %for
for:
  %j = phi i64 [ %k, %entry ], [ %next, %for ]
  %f = load double, ptr %factor
  %at = getelementptr double, ptr %a, i64 %j
  %v = load double, ptr %at
  %w = fmul double %v, %f
  store double %w, ptr %at
  %next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %for
done:
  ret void
}
; CHECK-LABEL: prepared function for @below
; CHECK: for:
; CHECK: load double, ptr %factor
; CHECK: ret void
define void @below(ptr %a, i64 %k, i64 %n) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %factor = getelementptr double, ptr %a, i64 %k
  %first = sub i64 %k, 3
  br label %for
for:
  %j = phi i64 [ %first, %entry ], [ %next, %for ]
  %f = load double, ptr %factor
  %at = getelementptr double, ptr %a, i64 %j
  %v = load double, ptr %at
  %w = fmul double %v, %f
  store double %w, ptr %at
  %next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %for
done:
  ret void
}
