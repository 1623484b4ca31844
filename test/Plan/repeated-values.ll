; What takes the same values in each pass through a nest is kept for one pass.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; for (p < n) { at = 0; for (c < m) for (r < m - c) s += x[at++] * y[p]; }: at begins each c anew.
define double @triangle(ptr noalias %x, ptr noalias %y, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, const, const) -> active" {
entry:
  br label %points
points:
  %p = phi i64 [ 0, %entry ], [ %p.next, %points.end ]
  %s.p = phi double [ 0.0, %entry ], [ %s.next, %points.end ]
  %py = getelementptr double, ptr %y, i64 %p
  %yv = load double, ptr %py
  br label %columns
columns:
  %c = phi i64 [ 0, %points ], [ %c.next, %columns.end ]
  %at = phi i64 [ 0, %points ], [ %at.next, %columns.end ]
  %s.c = phi double [ %s.p, %points ], [ %s.next, %columns.end ]
  %rows.n = sub i64 %m, %c
  br label %rows
rows:
  %r = phi i64 [ 0, %columns ], [ %r.next, %rows ]
  %s = phi double [ %s.c, %columns ], [ %s.next, %rows ]
  %i = add i64 %at, %r
  %px = getelementptr double, ptr %x, i64 %i
  %xv = load double, ptr %px
  %t = fmul double %xv, %yv
  %s.next = fadd double %s, %t
  %r.next = add nuw nsw i64 %r, 1
  %r.c = icmp eq i64 %r.next, %rows.n
  br i1 %r.c, label %columns.end, label %rows
columns.end:
  %at.next = add i64 %at, %rows.n
  %c.next = add nuw nsw i64 %c, 1
  %c.c = icmp eq i64 %c.next, %m
  br i1 %c.c, label %points.end, label %columns
points.end:
  %p.next = add nuw nsw i64 %p, 1
  %p.c = icmp eq i64 %p.next, %n
  br i1 %p.c, label %done, label %points
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@triangle
; CHECK:         %at primal {{.*}}cache #[[AT:[0-9]+]]
; CHECK:       tape (local)
; CHECK:         #[[AT]]  i64 array %columns  8 bytes * (%{{.*}}+1)  %at primal  (the same in each iteration of %points)

; Here it goes on counting from point to point.
define double @onwards(ptr noalias %x, ptr noalias %y, i64 %n, i64 %m, i64 %step) "isozyme-request"="reverse(dup, dup, const, const, const) -> active" {
entry:
  br label %points
points:
  %p = phi i64 [ 0, %entry ], [ %p.next, %points.end ]
  %at.p = phi i64 [ 0, %entry ], [ %at.next, %points.end ]
  %s.p = phi double [ 0.0, %entry ], [ %s.next, %points.end ]
  %py = getelementptr double, ptr %y, i64 %p
  %yv = load double, ptr %py
  br label %columns
columns:
  %c = phi i64 [ 0, %points ], [ %c.next, %columns ]
  %at = phi i64 [ %at.p, %points ], [ %at.next, %columns ]
  %s = phi double [ %s.p, %points ], [ %s.next, %columns ]
  %px = getelementptr double, ptr %x, i64 %at
  %xv = load double, ptr %px
  %t = fmul double %xv, %yv
  %s.next = fadd double %s, %t
  %at.squared = mul i64 %at, %at
  %at.next = add i64 %at.squared, %step
  %c.next = add nuw nsw i64 %c, 1
  %c.c = icmp eq i64 %c.next, %m
  br i1 %c.c, label %points.end, label %columns
points.end:
  %p.next = add nuw nsw i64 %p, 1
  %p.c = icmp eq i64 %p.next, %n
  br i1 %p.c, label %done, label %points
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@onwards
; CHECK:         %at primal {{.*}}cache #[[AT:[0-9]+]]
; CHECK:       tape (local)
; CHECK:         #[[AT]]  i64 array %points %columns  8 bytes * (%{{.*}}+1) * (%{{.*}}+1)  %at primal{{$}}

; It begins anew, but goes on by what memory says.
define double @memory(ptr noalias %x, ptr noalias %y, ptr noalias %steps, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, const, const, const) -> active" {
entry:
  br label %points
points:
  %p = phi i64 [ 0, %entry ], [ %p.next, %points.end ]
  %s.p = phi double [ 0.0, %entry ], [ %s.next, %points.end ]
  %py = getelementptr double, ptr %y, i64 %p
  %yv = load double, ptr %py
  br label %columns
columns:
  %c = phi i64 [ 0, %points ], [ %c.next, %columns ]
  %at = phi i64 [ 0, %points ], [ %at.next, %columns ]
  %s = phi double [ %s.p, %points ], [ %s.next, %columns ]
  %px = getelementptr double, ptr %x, i64 %at
  %xv = load double, ptr %px
  %t = fmul double %xv, %yv
  %s.next = fadd double %s, %t
  %pstep = getelementptr i64, ptr %steps, i64 %at
  %step = load i64, ptr %pstep
  %at.next = add i64 %at, %step
  %c.next = add nuw nsw i64 %c, 1
  %c.c = icmp eq i64 %c.next, %m
  br i1 %c.c, label %points.end, label %columns
points.end:
  store i64 %p, ptr %steps
  %p.next = add nuw nsw i64 %p, 1
  %p.c = icmp eq i64 %p.next, %n
  br i1 %p.c, label %done, label %points
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@memory
; CHECK:         %at primal {{.*}}cache #[[AT:[0-9]+]]
; CHECK:       tape (local)
; CHECK:         #[[AT]]  i64 array %points %columns  8 bytes * (%{{.*}}+1) * (%{{.*}}+1)  %at primal{{$}}
