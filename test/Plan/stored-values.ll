; A load of memory that changes later is had as what was stored there in the same iteration, if
; nothing else can have been stored there in between.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-keep=cache -disable-output %s 2>&1 | FileCheck %s --check-prefix=CACHE

; for (i < n) { for (j < m) t[j] = x[j] - y[i]; for (k < m) s += t[k] * t[k]; }
define double @scratch(ptr noalias %t, ptr noalias readonly %x, ptr noalias readonly %y, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, dup, const, const) -> active" {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s.i = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  %py = getelementptr double, ptr %y, i64 %i
  br label %fill
fill:
  %j = phi i64 [ 0, %outer ], [ %j.next, %fill ]
  %px = getelementptr double, ptr %x, i64 %j
  %xv = load double, ptr %px
  %yv = load double, ptr %py
  %d = fsub double %xv, %yv
  %pt = getelementptr double, ptr %t, i64 %j
  store double %d, ptr %pt
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %between, label %fill
between:
  br label %read
read:
  %k = phi i64 [ 0, %between ], [ %k.next, %read ]
  %s = phi double [ %s.i, %between ], [ %s.next, %read ]
  %pr = getelementptr double, ptr %t, i64 %k
  %r = load double, ptr %pr
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  %k.next = add nuw nsw i64 %k, 1
  %k.c = icmp eq i64 %k.next, %m
  br i1 %k.c, label %latch, label %read
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@scratch
; CHECK:         %r primal  for %sq  recompute  (as it was stored)
; CHECK-NEXT:    %d primal  recompute  (cheap)
; CHECK-NEXT:    %xv primal  reload
; CHECK:         %yv primal  reload
; CHECK:       tape (local)
; CHECK-NOT:     array
; CHECK:       reverse
; CACHE-LABEL: plan for reverse(@scratch
; CACHE:         %r primal  for %sq  cache

; The memory may overlap what the values are computed from: x has changed, so d is kept.
define double @overlap(ptr %t, ptr %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, const, const) -> active" {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s.i = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  br label %fill
fill:
  %j = phi i64 [ 0, %outer ], [ %j.next, %fill ]
  %px = getelementptr double, ptr %x, i64 %j
  %xv = load double, ptr %px
  %d = fmul double %xv, 3.0
  %pt = getelementptr double, ptr %t, i64 %j
  store double %d, ptr %pt
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %between, label %fill
between:
  br label %read
read:
  %k = phi i64 [ 0, %between ], [ %k.next, %read ]
  %s = phi double [ %s.i, %between ], [ %s.next, %read ]
  %pr = getelementptr double, ptr %t, i64 %k
  %r = load double, ptr %pr
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  %k.next = add nuw nsw i64 %k, 1
  %k.c = icmp eq i64 %k.next, %m
  br i1 %k.c, label %latch, label %read
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@overlap
; CHECK:         %r primal  for %sq  cache #{{[0-9]+}}  (cheaper than what it is computed from)

; Another store in between, to memory that may be the same.
define double @disturbed(ptr %t, ptr noalias readonly %x, ptr %z, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, dup, const, const) -> active" {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s.i = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  br label %fill
fill:
  %j = phi i64 [ 0, %outer ], [ %j.next, %fill ]
  %px = getelementptr double, ptr %x, i64 %j
  %xv = load double, ptr %px
  %pt = getelementptr double, ptr %t, i64 %j
  store double %xv, ptr %pt
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %between, label %fill
between:
  store double 1.0, ptr %z
  br label %read
read:
  %k = phi i64 [ 0, %between ], [ %k.next, %read ]
  %s = phi double [ %s.i, %between ], [ %s.next, %read ]
  %pr = getelementptr double, ptr %t, i64 %k
  %r = load double, ptr %pr
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  %k.next = add nuw nsw i64 %k, 1
  %k.c = icmp eq i64 %k.next, %m
  br i1 %k.c, label %latch, label %read
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@disturbed
; CHECK:         %r primal  for %sq  cache #{{[0-9]+}}  (may be overwritten)

; Read one further on than it was written in the same number of iterations: the last one is older.
define double @beyond(ptr noalias %t, ptr noalias readonly %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, const, const) -> active" {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s.i = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  br label %fill
fill:
  %j = phi i64 [ 0, %outer ], [ %j.next, %fill ]
  %px = getelementptr double, ptr %x, i64 %j
  %xv = load double, ptr %px
  %pt = getelementptr double, ptr %t, i64 %j
  store double %xv, ptr %pt
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %between, label %fill
between:
  br label %read
read:
  %k = phi i64 [ 0, %between ], [ %k.next, %read ]
  %s = phi double [ %s.i, %between ], [ %s.next, %read ]
  %k.further = add nuw nsw i64 %k, 1
  %pr = getelementptr double, ptr %t, i64 %k.further
  %r = load double, ptr %pr
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  %k.next = add nuw nsw i64 %k, 1
  %k.c = icmp eq i64 %k.next, %m
  br i1 %k.c, label %latch, label %read
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@beyond
; CHECK:         %r primal  for %sq  cache #{{[0-9]+}}  (may be overwritten)

; The iterations that store end two earlier: what they read is further on by up to two.
define double @shifted(ptr noalias %t, ptr noalias readonly %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, const, const) -> active" {
entry:
  %few = add nsw i64 %m, -2
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s.i = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  br label %fill
fill:
  %j = phi i64 [ 0, %outer ], [ %j.next, %fill ]
  %px = getelementptr double, ptr %x, i64 %j
  %xv = load double, ptr %px
  %pt = getelementptr double, ptr %t, i64 %j
  store double %xv, ptr %pt
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %between, label %fill
between:
  br label %read
read:
  %k = phi i64 [ 0, %between ], [ %k.next, %read ]
  %s = phi double [ %s.i, %between ], [ %s.next, %read ]
  %k.further = add nuw nsw i64 %k, 2
  %pr = getelementptr double, ptr %t, i64 %k.further
  %r = load double, ptr %pr
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  %k.next = add nuw nsw i64 %k, 1
  %k.c = icmp eq i64 %k.next, %few
  br i1 %k.c, label %latch, label %read
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@shifted
; CHECK:         %r primal  for %sq  recompute  (as it was stored)
; CHECK-NEXT:    %xv primal  reload

; Only some iterations store.
define double @sometimes(ptr noalias %t, ptr noalias readonly %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, const, const) -> active" {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s.i = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  br label %fill
fill:
  %j = phi i64 [ 0, %outer ], [ %j.next, %filled ]
  %px = getelementptr double, ptr %x, i64 %j
  %xv = load double, ptr %px
  %pt = getelementptr double, ptr %t, i64 %j
  %positive = fcmp ogt double %xv, 0.0
  br i1 %positive, label %put, label %filled
put:
  store double %xv, ptr %pt
  br label %filled
filled:
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %between, label %fill
between:
  br label %read
read:
  %k = phi i64 [ 0, %between ], [ %k.next, %read ]
  %s = phi double [ %s.i, %between ], [ %s.next, %read ]
  %pr = getelementptr double, ptr %t, i64 %k
  %r = load double, ptr %pr
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  %k.next = add nuw nsw i64 %k, 1
  %k.c = icmp eq i64 %k.next, %m
  br i1 %k.c, label %latch, label %read
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@sometimes
; CHECK:         %r primal  for %sq  cache #{{[0-9]+}}  (may be overwritten)

; The store is at the head of the loop, another to the same place behind it, in a loop.
define double @again(ptr noalias %t, ptr noalias readonly %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, const, const) -> active" {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  %px = getelementptr double, ptr %x, i64 %i
  %xv = load double, ptr %px
  %pt = getelementptr double, ptr %t, i64 %i
  store double %xv, ptr %pt
  %first = icmp eq i64 %i, 0
  br i1 %first, label %latch, label %pre
pre:
  br label %change
change:
  %j = phi i64 [ 0, %pre ], [ %j.next, %change ]
  %square = phi double [ %xv, %pre ], [ %square.next, %change ]
  %square.next = fmul double %square, %xv
  store double %square.next, ptr %pt
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %latch, label %change
latch:
  %r = load double, ptr %pt
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  store double 0.0, ptr %t
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@again
; CHECK:         %r primal  for %sq  cache #{{[0-9]+}}  (may be overwritten)

; What the loop changes is other memory: the value of this iteration.
define double @once(ptr noalias %t, ptr noalias readonly %x, ptr noalias %z, i64 %n, i64 %m) "isozyme-request"="reverse(dup, dup, dup, const, const) -> active" {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  store double 0.0, ptr %t
  %px = getelementptr double, ptr %x, i64 %i
  %xv = load double, ptr %px
  %pt = getelementptr double, ptr %t, i64 %i
  store double %xv, ptr %pt
  br label %change
change:
  %j = phi i64 [ 0, %outer ], [ %j.next, %change ]
  %pz = getelementptr double, ptr %z, i64 %j
  store double %xv, ptr %pz
  %j.next = add nuw nsw i64 %j, 1
  %j.c = icmp eq i64 %j.next, %m
  br i1 %j.c, label %latch, label %change
latch:
  %r = load double, ptr %pt
  %sq = fmul double %r, %r
  %s.next = fadd double %s, %sq
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %outer
done:
  ret double %s.next
}
; CHECK-LABEL: plan for reverse(@once
; CHECK:         %r primal  for %sq  recompute  (as it was stored)
; CHECK-NEXT:    %xv primal  reload
