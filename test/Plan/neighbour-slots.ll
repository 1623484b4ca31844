; Loads of neighbours that are kept share one array of the tape, with a frame for the elements around
; those of the iterations.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-keep=cache -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=EACH
; EACH-NOT: written behind the loop
; RUN: %opt -passes=autodiff -isozyme-verify-each -S %s | FileCheck %s --check-prefix=CODE

; CHECK: derivative plan for reverse(@plate
; CHECK: %here.v primal {{.*}} cache #[[SLOT:[0-9]+]] at +0, 1, 1, written behind the loop  (may be overwritten)
; CHECK: %left.v primal {{.*}} cache #[[SLOT]] at +0, 1, 0  (may be overwritten)
; CHECK: %below.v primal {{.*}} cache #[[SLOT]] at +0, 2, 1  (may be overwritten)
; CHECK: %above.v primal {{.*}} cache #[[SLOT]] at +0, 0, 1  (may be overwritten)
; CHECK: %right.v primal {{.*}} cache #[[SLOT]] at +0, 1, 2, written behind the loop  (may be overwritten)
; CHECK: #[[SLOT]]  double array %step %row %col  8 bytes * 10 * (%{{.*}}+3) * (%{{.*}}+3)  %left.v primal
; CHECK-NOT: double array
; CHECK: {{^}}  calls
; CODE-LABEL: define void @gradient(
; CODE: {{^}}col.i:
; CODE: store double %left.v.i, ptr %tape.at
; CODE: store double %above.v.i, ptr %tape.at
; CODE: store double %below.v.i, ptr %tape.at
; CODE-NOT: , ptr %tape.at
; CODE: {{^}}row.end.i:
; CODE: store double %right.v.i, ptr %tape.at
; CODE: store double %here.v.i, ptr %tape.at
; CODE: {{^}}step.end.i:
define void @plate(ptr noalias %x, ptr noalias %y, i64 %rows, i64 %cols, i64 %width) "isozyme-request"="reverse(dup,dup,const,const,const)->const" {
entry:
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %step.end]
  %now = phi ptr [%x, %entry], [%then, %step.end]
  %then = phi ptr [%y, %entry], [%now, %step.end]
  br label %row
row:
  %r = phi i64 [1, %step], [%r.next, %row.end]
  %from = mul nuw nsw i64 %r, %width
  br label %col
col:
  %c = phi i64 [1, %row], [%c.next, %col]
  %i = add nuw nsw i64 %from, %c
  %here = getelementptr inbounds double, ptr %now, i64 %i
  %left = getelementptr inbounds i8, ptr %here, i64 -8
  %right = getelementptr inbounds i8, ptr %here, i64 8
  %i.above = sub nsw i64 %i, %width
  %above = getelementptr inbounds double, ptr %now, i64 %i.above
  %i.below = add nsw i64 %i, %width
  %below = getelementptr inbounds double, ptr %now, i64 %i.below
  %left.v = load double, ptr %left
  %here.v = load double, ptr %here
  %right.v = load double, ptr %right
  %above.v = load double, ptr %above
  %below.v = load double, ptr %below
  %p1 = fmul double %left.v, %here.v
  %p2 = fmul double %above.v, %below.v
  %p3 = fmul double %right.v, %p1
  %sum = fadd double %p2, %p3
  %to = getelementptr inbounds double, ptr %then, i64 %i
  store double %sum, ptr %to
  %c.next = add nuw nsw i64 %c, 1
  %more.c = icmp slt i64 %c.next, %cols
  br i1 %more.c, label %col, label %row.end
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %more.r = icmp slt i64 %r.next, %rows
  br i1 %more.r, label %row, label %step.end
step.end:
  %s.next = add nuw nsw i64 %s, 1
  %more.s = icmp ult i64 %s.next, 10
  br i1 %more.s, label %step, label %exit
exit:
  ret void
}

; A row that is written in the same step may hold something else when the next one reads it.
; CHECK: derivative plan for reverse(@rewritten
; CHECK-NOT: at +
; CHECK: {{^}}  reverse
define void @rewritten(ptr noalias %x, i64 %rows, i64 %cols, i64 %width) "isozyme-request"="reverse(dup,const,const,const)->const" {
entry:
  br label %row
row:
  %r = phi i64 [1, %entry], [%r.next, %row.end]
  %from = mul nuw nsw i64 %r, %width
  br label %col
col:
  %c = phi i64 [1, %row], [%c.next, %col]
  %i = add nuw nsw i64 %from, %c
  %here = getelementptr inbounds double, ptr %x, i64 %i
  %i.above = sub nsw i64 %i, %width
  %above = getelementptr inbounds double, ptr %x, i64 %i.above
  %here.v = load double, ptr %here
  %above.v = load double, ptr %above
  %p = fmul double %above.v, %here.v
  store double %p, ptr %above
  %c.next = add nuw nsw i64 %c, 1
  %more.c = icmp slt i64 %c.next, %cols
  br i1 %more.c, label %col, label %row.end
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %more.r = icmp slt i64 %r.next, %rows
  br i1 %more.r, label %row, label %exit
exit:
  ret void
}

define void @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %rows, i64 %cols, i64 %width) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @plate, metadata !"enzyme_dup", ptr %x, ptr %dx, metadata !"enzyme_dup", ptr %y, ptr %dy, i64 %rows, i64 %cols, i64 %width)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
