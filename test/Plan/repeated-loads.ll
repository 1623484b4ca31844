; What a loop reads from memory that it does not write has the same values each time: it is kept for one
; of its iterations. In each point, buf is filled, and each row adds what all elements of buf give.
; RUN: %opt -isozyme-fuse=0 -isozyme-verify-each -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@rows:
; CHECK: %b primal  for %t  cache #[[KEPT:[0-9]+]]
; CHECK: #[[KEPT]]  double array %points %columns  8 bytes * (%{{.*}}+1) * (%{{.*}}+1)  %b primal  (the same in each iteration of %rows)
define void @rows(ptr noalias %x, ptr noalias %buf, ptr noalias %out, i64 %n, i64 %m, i64 %k) "isozyme-request"="reverse(dup,dup,dup,const,const,const)->const" {
entry:
  br label %points
points:
  %p = phi i64 [0, %entry], [%p.next, %points.end]
  call void @fill(ptr %buf, i64 %p)
  br label %rows
rows:
  %r = phi i64 [0, %points], [%r.next, %rows.end]
  %at = mul i64 %r, %k
  br label %columns
columns:
  %c = phi i64 [0, %rows], [%c.next, %columns]
  %s = phi double [0.0, %rows], [%sum, %columns]
  %i = add i64 %at, %c
  %px = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %px
  %pb = getelementptr double, ptr %buf, i64 %c
  %b = load double, ptr %pb
  %t = fmul double %v, %b
  %sum = fadd double %s, %t
  %c.next = add nuw nsw i64 %c, 1
  %c.more = icmp slt i64 %c.next, %k
  br i1 %c.more, label %columns, label %rows.end
rows.end:
  %po = getelementptr double, ptr %out, i64 %r
  store double %sum, ptr %po
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp slt i64 %r.next, %m
  br i1 %r.more, label %rows, label %points.end
points.end:
  %p.next = add nuw nsw i64 %p, 1
  %p.more = icmp slt i64 %p.next, %n
  br i1 %p.more, label %points, label %exit
exit:
  ret void
}
declare void @fill(ptr nocapture writeonly, i64) memory(argmem: write) willreturn nounwind "enzyme_inactive"

; A row changes what the next one reads.
; CHECK-LABEL: derivative plan for reverse(@changes:
; CHECK: %b primal  for %t  cache #[[KEPT:[0-9]+]]
; CHECK: #[[KEPT]]  double array %points %rows %columns  8 bytes * {{.*}}  %b primal{{$}}
define void @changes(ptr noalias %x, ptr noalias %buf, i64 %n, i64 %m, i64 %k, i64 %w) "isozyme-request"="reverse(dup,dup,const,const,const,const)->const" {
entry:
  br label %points
points:
  %p = phi i64 [0, %entry], [%p.next, %points.end]
  br label %rows
rows:
  %r = phi i64 [0, %points], [%r.next, %rows.end]
  %at = mul i64 %r, %k
  br label %columns
columns:
  %c = phi i64 [0, %rows], [%c.next, %columns]
  %s = phi double [0.0, %rows], [%sum, %columns]
  %i = add i64 %at, %c
  %px = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %px
  %pb = getelementptr double, ptr %buf, i64 %c
  %b = load double, ptr %pb
  %t = fmul double %v, %b
  %sum = fadd double %s, %t
  %c.next = add nuw nsw i64 %c, 1
  %c.more = icmp slt i64 %c.next, %k
  br i1 %c.more, label %columns, label %rows.end
rows.end:
  %po = getelementptr double, ptr %buf, i64 %w
  store double %sum, ptr %po
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp slt i64 %r.next, %m
  br i1 %r.more, label %rows, label %points.end
points.end:
  %p.next = add nuw nsw i64 %p, 1
  %p.more = icmp slt i64 %p.next, %n
  br i1 %p.more, label %points, label %exit
exit:
  ret void
}
