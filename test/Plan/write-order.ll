; What a loop writes behind all that it has read needs no tape: later writes go elsewhere.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

; l[i*n + k] with k < j is read before l[i*n + j] is written, and never written again.
; CHECK: derivative plan for reverse(@triangle
; CHECK: %v primal  for %f  reload  (not overwritten afterwards)
; CHECK-NOT: array %k
define void @triangle(ptr noalias %l, ptr noalias %x, i32 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %start, label %exit
start:
  %rows = zext nneg i32 %n to i64
  br label %i
i:
  %iv = phi i64 [0, %start], [%iv.next, %i.end]
  %iv.next = add nuw nsw i64 %iv, 1
  %row = mul nuw nsw i64 %iv, %rows
  br label %j
j:
  %jv = phi i64 [0, %i], [%jv.next, %j.end]
  %none = icmp eq i64 %jv, 0
  br i1 %none, label %j.end, label %k.start
k.start:
  %narrow = trunc i64 %jv to i32
  %above = mul i32 %n, %narrow
  %begin = zext i32 %above to i64
  %lj = getelementptr inbounds nuw double, ptr %l, i64 %begin
  br label %k
k:
  %kv = phi i64 [0, %k.start], [%kv.next, %k]
  %sum = phi double [0.0, %k.start], [%more, %k]
  %p = getelementptr inbounds nuw double, ptr %lj, i64 %kv
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %more = fadd double %sum, %f
  %kv.next = add nuw nsw i64 %kv, 1
  %k.done = icmp eq i64 %kv.next, %jv
  br i1 %k.done, label %j.end, label %k
j.end:
  %rest = phi double [1.0, %j], [%more, %k]
  %at = add nuw nsw i64 %jv, %row
  %q = getelementptr inbounds double, ptr %x, i64 %jv
  %w = load double, ptr %q
  %new = fadd double %rest, %w
  %r = getelementptr inbounds nuw double, ptr %l, i64 %at
  store double %new, ptr %r
  %jv.next = add nuw nsw i64 %jv, 1
  %j.done = icmp eq i64 %jv.next, %iv.next
  br i1 %j.done, label %i.end, label %j
i.end:
  %done = icmp eq i64 %iv.next, %rows
  br i1 %done, label %exit, label %i
exit:
  ret void
}

; x[i - 1], with a counter that is not signed.
; CHECK: derivative plan for reverse(@behind
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
define void @behind(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %before = add i64 %i, -1
  %p = getelementptr inbounds double, ptr %x, i64 %before
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %i
  store double %f, ptr %q
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; x[i + 1] is written in the next iteration.
; CHECK: derivative plan for reverse(@ahead
; CHECK: %v primal {{.*}}cache
define void @ahead(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds double, ptr %x, i64 %next
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %i
  store double %f, ptr %q
  %more = icmp ult i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Behind, but by half an element.
; CHECK: derivative plan for reverse(@half
; CHECK: %v primal {{.*}}cache
define void @half(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr inbounds [4 x i8], ptr %x, i64 %i
  %v = load double, ptr %p, align 4
  %f = fmul double %v, %v
  %q = getelementptr inbounds [4 x i8], ptr %x, i64 %next
  store double %f, ptr %q, align 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Rows as far apart as they are long: x[(t+1)*n + i] from x[t*n + i].
; CHECK: derivative plan for reverse(@rows
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
; The distance of the rows has no relation to their length: they may overlap.
; CHECK: derivative plan for reverse(@overlapping
; CHECK: %v primal {{.*}}cache
; Operations may wrap: the rows may come round to where they were.
; CHECK: derivative plan for reverse(@wrapping
; CHECK: %v primal {{.*}}cache
; The address may lie outside of the object, but no array is so long that an index whose operations
; do not overflow comes round to it.
; CHECK: derivative plan for reverse(@outside
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
define void @rows(ptr noalias %x, i64 %steps, i64 %n) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %start, label %exit
start:
  br label %time
time:
  %t = phi i64 [0, %start], [%t.next, %time.end]
  %t.next = add nuw nsw i64 %t, 1
  %now = mul nuw nsw i64 %t, %n
  %then = mul nuw nsw i64 %t.next, %n
  br label %for
for:
  %i = phi i64 [0, %time], [%next, %for]
  %a = add nuw nsw i64 %now, %i
  %b = add nuw nsw i64 %then, %i
  %p = getelementptr inbounds double, ptr %x, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %b
  store double %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %time.end
time.end:
  %t.more = icmp slt i64 %t.next, %steps
  br i1 %t.more, label %time, label %exit
exit:
  ret void
}
define void @overlapping(ptr noalias %x, i64 %steps, i64 %n, i64 %m) "isozyme-request"="reverse(dup,const,const,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %start, label %exit
start:
  br label %time
time:
  %t = phi i64 [0, %start], [%t.next, %time.end]
  %t.next = add nuw nsw i64 %t, 1
  %now = mul nuw nsw i64 %t, %m
  %then = mul nuw nsw i64 %t.next, %m
  br label %for
for:
  %i = phi i64 [0, %time], [%next, %for]
  %a = add nuw nsw i64 %now, %i
  %b = add nuw nsw i64 %then, %i
  %p = getelementptr inbounds double, ptr %x, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %b
  store double %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %time.end
time.end:
  %t.more = icmp slt i64 %t.next, %steps
  br i1 %t.more, label %time, label %exit
exit:
  ret void
}
define void @wrapping(ptr noalias %x, i64 %steps, i64 %n) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %start, label %exit
start:
  br label %time
time:
  %t = phi i64 [0, %start], [%t.next, %time.end]
  %t.next = add nuw nsw i64 %t, 1
  %now = mul i64 %t, %n
  %then = mul i64 %t.next, %n
  br label %for
for:
  %i = phi i64 [0, %time], [%next, %for]
  %a = add i64 %now, %i
  %b = add i64 %then, %i
  %p = getelementptr inbounds double, ptr %x, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %b
  store double %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %time.end
time.end:
  %t.more = icmp slt i64 %t.next, %steps
  br i1 %t.more, label %time, label %exit
exit:
  ret void
}
define void @outside(ptr noalias %x, i64 %steps, i64 %n) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %start, label %exit
start:
  br label %time
time:
  %t = phi i64 [0, %start], [%t.next, %time.end]
  %t.next = add nuw nsw i64 %t, 1
  %now = mul nuw nsw i64 %t, %n
  %then = mul nuw nsw i64 %t.next, %n
  br label %for
for:
  %i = phi i64 [0, %time], [%next, %for]
  %a = add nuw nsw i64 %now, %i
  %b = add nuw nsw i64 %then, %i
  %p = getelementptr double, ptr %x, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr double, ptr %x, i64 %b
  store double %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %time.end
time.end:
  %t.more = icmp slt i64 %t.next, %steps
  br i1 %t.more, label %time, label %exit
exit:
  ret void
}

; All is written again in the next sweep.
; CHECK: derivative plan for reverse(@sweeps
; CHECK: %v primal {{.*}}cache
define void @sweeps(ptr noalias %x, i64 %steps, i64 %n) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  br label %time
time:
  %t = phi i64 [0, %entry], [%t.next, %time.end]
  br label %for
for:
  %i = phi i64 [0, %time], [%next, %for]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr inbounds double, ptr %x, i64 %next
  store double %f, ptr %q
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %time.end
time.end:
  %t.next = add nuw nsw i64 %t, 1
  %t.more = icmp slt i64 %t.next, %steps
  br i1 %t.more, label %time, label %exit
exit:
  ret void
}

; A step that may be negative, or zero.
; CHECK: derivative plan for reverse(@anyStep
; CHECK: %v primal {{.*}}cache
define void @anyStep(ptr noalias %x, i64 %n, i64 %step) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %next = add nuw nsw i64 %i, 1
  %a = mul nsw i64 %i, %step
  %b = mul nsw i64 %next, %step
  %p = getelementptr inbounds double, ptr %x, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %b
  store double %f, ptr %q
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Downwards: x[n - 2 - i] from x[n - 1 - i].
; CHECK: derivative plan for reverse(@downwards
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
define void @downwards(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %next = add nuw nsw i64 %i, 1
  %a = sub nsw i64 %n, %i
  %b = sub nsw i64 %n, %next
  %p = getelementptr inbounds double, ptr %x, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %b
  store double %f, ptr %q
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}
