; Loops that write behind all that they have read, as far as branches, and operations that are known not
; to wrap, tell.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

; l[j*n + j] is read where j is not i, and so less: row i is behind it.
; CHECK: derivative plan for reverse(@unequal
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
; Where j may be anything but i, it may be more.
; CHECK: derivative plan for reverse(@unequalInSquare
; CHECK: %v primal {{.*}}cache
; Where j is i, the element itself is written.
; CHECK: derivative plan for reverse(@equal
; CHECK: %v primal {{.*}}cache
define void @unequal(ptr noalias %l, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %i, label %exit
i:
  %iv = phi i64 [0, %entry], [%iv.next, %i.end]
  %iv.next = add nuw nsw i64 %iv, 1
  %row = mul nuw nsw i64 %iv, %n
  br label %j
j:
  %jv = phi i64 [0, %i], [%jv.next, %j.end]
  %at = add nuw nsw i64 %jv, %row
  %q = getelementptr inbounds double, ptr %l, i64 %at
  %diagonal = icmp eq i64 %jv, %iv
  br i1 %diagonal, label %j.end, label %other
other:
  %jrow = mul nuw nsw i64 %jv, %n
  %above = add nuw nsw i64 %jrow, %jv
  %p = getelementptr inbounds double, ptr %l, i64 %above
  %v = load double, ptr %p
  %f = fmul double %v, %v
  br label %j.end
j.end:
  %new = phi double [1.0, %j], [%f, %other]
  store double %new, ptr %q
  %jv.next = add nuw nsw i64 %jv, 1
  %j.done = icmp eq i64 %jv.next, %iv.next
  br i1 %j.done, label %i.end, label %j
i.end:
  %done = icmp eq i64 %iv.next, %n
  br i1 %done, label %exit, label %i
exit:
  ret void
}
define void @unequalInSquare(ptr noalias %l, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %i, label %exit
i:
  %iv = phi i64 [0, %entry], [%iv.next, %i.end]
  %iv.next = add nuw nsw i64 %iv, 1
  %row = mul nuw nsw i64 %iv, %n
  br label %j
j:
  %jv = phi i64 [0, %i], [%jv.next, %j.end]
  %at = add nuw nsw i64 %jv, %row
  %q = getelementptr inbounds double, ptr %l, i64 %at
  %diagonal = icmp eq i64 %jv, %iv
  br i1 %diagonal, label %j.end, label %other
other:
  %jrow = mul nuw nsw i64 %jv, %n
  %above = add nuw nsw i64 %jrow, %jv
  %p = getelementptr inbounds double, ptr %l, i64 %above
  %v = load double, ptr %p
  %f = fmul double %v, %v
  br label %j.end
j.end:
  %new = phi double [1.0, %j], [%f, %other]
  store double %new, ptr %q
  %jv.next = add nuw nsw i64 %jv, 1
  %j.done = icmp eq i64 %jv.next, %n
  br i1 %j.done, label %i.end, label %j
i.end:
  %done = icmp eq i64 %iv.next, %n
  br i1 %done, label %exit, label %i
exit:
  ret void
}
define void @equal(ptr noalias %l, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %i, label %exit
i:
  %iv = phi i64 [0, %entry], [%iv.next, %i.end]
  %iv.next = add nuw nsw i64 %iv, 1
  %row = mul nuw nsw i64 %iv, %n
  br label %j
j:
  %jv = phi i64 [0, %i], [%jv.next, %j.end]
  %at = add nuw nsw i64 %jv, %row
  %q = getelementptr inbounds double, ptr %l, i64 %at
  %diagonal = icmp eq i64 %jv, %iv
  br i1 %diagonal, label %other, label %j.end
other:
  %jrow = mul nuw nsw i64 %jv, %n
  %above = add nuw nsw i64 %jrow, %jv
  %p = getelementptr inbounds double, ptr %l, i64 %above
  %v = load double, ptr %p
  %f = fmul double %v, %v
  br label %j.end
j.end:
  %new = phi double [1.0, %j], [%f, %other]
  store double %new, ptr %q
  %jv.next = add nuw nsw i64 %jv, 1
  %j.done = icmp eq i64 %jv.next, %iv.next
  br i1 %j.done, label %i.end, label %j
i.end:
  %done = icmp eq i64 %iv.next, %n
  br i1 %done, label %exit, label %i
exit:
  ret void
}

; if (j < i) read x[j]; then write x[i].
; CHECK: derivative plan for reverse(@below
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
; if (j <= i)
; CHECK: derivative plan for reverse(@upTo
; CHECK: %v primal {{.*}}cache
define void @below(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  br label %i
i:
  %iv = phi i64 [0, %entry], [%iv.next, %i.end]
  %iv.next = add nuw nsw i64 %iv, 1
  br label %j
j:
  %jv = phi i64 [0, %i], [%jv.next, %j.end]
  %sum = phi double [1.0, %i], [%new, %j.end]
  %skip = icmp uge i64 %jv, %iv
  br i1 %skip, label %j.end, label %read
read:
  %p = getelementptr inbounds double, ptr %x, i64 %jv
  %v = load double, ptr %p
  %f = fmul double %v, %v
  br label %j.end
j.end:
  %new = phi double [%sum, %j], [%f, %read]
  %jv.next = add nuw nsw i64 %jv, 1
  %j.more = icmp slt i64 %jv.next, %n
  br i1 %j.more, label %j, label %i.end
i.end:
  %q = getelementptr inbounds double, ptr %x, i64 %iv
  store double %new, ptr %q
  %more = icmp slt i64 %iv.next, %n
  br i1 %more, label %i, label %exit
exit:
  ret void
}
define void @upTo(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  br label %i
i:
  %iv = phi i64 [0, %entry], [%iv.next, %i.end]
  %iv.next = add nuw nsw i64 %iv, 1
  br label %j
j:
  %jv = phi i64 [0, %i], [%jv.next, %j.end]
  %sum = phi double [1.0, %i], [%new, %j.end]
  %skip = icmp ugt i64 %jv, %iv
  br i1 %skip, label %j.end, label %read
read:
  %p = getelementptr inbounds double, ptr %x, i64 %jv
  %v = load double, ptr %p
  %f = fmul double %v, %v
  br label %j.end
j.end:
  %new = phi double [%sum, %j], [%f, %read]
  %jv.next = add nuw nsw i64 %jv, 1
  %j.more = icmp slt i64 %jv.next, %n
  br i1 %j.more, label %j, label %i.end
i.end:
  %q = getelementptr inbounds double, ptr %x, i64 %iv
  store double %new, ptr %q
  %more = icmp slt i64 %iv.next, %n
  br i1 %more, label %i, label %exit
exit:
  ret void
}

; The optimiser has made (n + 1) * i of i*n + i and taken the flags away. The block has n * n elements, so
; that it does not wrap.
; CHECK: derivative plan for reverse(@diagonal
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
; Of this one nothing is known.
; CHECK: derivative plan for reverse(@anyDiagonal
; CHECK: %v primal {{.*}}cache
declare noalias nonnull ptr @_Znwm(i64 noundef)
define double @diagonal(ptr noalias %x, i32 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %square = mul nsw i32 %n, %n
  %count = zext nneg i32 %square to i64
  %bytes = shl nuw nsw i64 %count, 3
  %l = call noalias nonnull ptr @_Znwm(i64 noundef %bytes)
  %first = load double, ptr %x
  store double %first, ptr %l
  %last = sext i32 %n to i64
  %some = icmp sgt i32 %n, 1
  br i1 %some, label %i, label %exit
i:
  %iv = phi i64 [1, %entry], [%iv.next, %i]
  %before = add nsw i64 %iv, -1
  %a = trunc nuw nsw i64 %before to i32
  %b = trunc nuw nsw i64 %iv to i32
  %step = add i32 %n, 1
  %from = mul i32 %a, %step
  %to = mul i32 %b, %step
  %from64 = sext i32 %from to i64
  %to64 = sext i32 %to to i64
  %p = getelementptr inbounds double, ptr %l, i64 %from64
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %l, i64 %to64
  store double %f, ptr %q
  %iv.next = add nuw nsw i64 %iv, 1
  %more = icmp slt i64 %iv.next, %last
  br i1 %more, label %i, label %exit
exit:
  %end = load double, ptr %l
  ret double %end
}
define double @anyDiagonal(ptr noalias %x, i32 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %first = load double, ptr %x
  %last = sext i32 %n to i64
  %some = icmp sgt i32 %n, 1
  br i1 %some, label %i, label %exit
i:
  %iv = phi i64 [1, %entry], [%iv.next, %i]
  %before = add nsw i64 %iv, -1
  %a = trunc nuw nsw i64 %before to i32
  %b = trunc nuw nsw i64 %iv to i32
  %step = add i32 %n, 1
  %from = mul i32 %a, %step
  %to = mul i32 %b, %step
  %from64 = sext i32 %from to i64
  %to64 = sext i32 %to to i64
  %p = getelementptr inbounds double, ptr %x, i64 %from64
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %x, i64 %to64
  store double %f, ptr %q
  %iv.next = add nuw nsw i64 %iv, 1
  %more = icmp slt i64 %iv.next, %last
  br i1 %more, label %i, label %exit
exit:
  %end = load double, ptr %x
  ret double %end
}

; An address that may leave the object is exact if its index is small.
; CHECK: derivative plan for reverse(@small
; CHECK: %v primal {{.*}}reload  (not overwritten afterwards)
; CHECK: derivative plan for reverse(@large
; CHECK: %v primal {{.*}}cache
define void @small(ptr noalias %x, i32 %n, i32 %start) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %from = sext i32 %start to i64
  %row = getelementptr double, ptr %x, i64 %from
  br label %for
for:
  %i = phi i32 [0, %entry], [%next, %for]
  %next = add nuw nsw i32 %i, 1
  %a = sext i32 %i to i64
  %b = sext i32 %next to i64
  %p = getelementptr double, ptr %row, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr double, ptr %row, i64 %b
  store double %f, ptr %q
  %more = icmp slt i32 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}
define void @large(ptr noalias %x, i32 %n, i64 %start) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %row = getelementptr double, ptr %x, i64 %start
  br label %for
for:
  %i = phi i32 [0, %entry], [%next, %for]
  %next = add nuw nsw i32 %i, 1
  %a = sext i32 %i to i64
  %b = sext i32 %next to i64
  %p = getelementptr double, ptr %row, i64 %a
  %v = load double, ptr %p
  %f = fmul double %v, %v
  %q = getelementptr double, ptr %row, i64 %b
  store double %f, ptr %q
  %more = icmp slt i32 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Gaussian elimination: what is read of the pivot's row is not written again, for later rows begin
; behind it. The last iteration, n - 2 - k, has no flags, but a counter comes to it.
; CHECK-LABEL: derivative plan for reverse(@elimination
; CHECK: %pivot primal {{.*}}reload  (not overwritten afterwards)
; CHECK: %above primal {{.*}}reload  (not overwritten afterwards)
; With a width of its own, rows may overlap.
; CHECK-LABEL: derivative plan for reverse(@overlapping
; CHECK: %above primal {{.*}}cache
define void @elimination(ptr noalias %a, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %k, label %exit
k:
  %kv = phi i64 [0, %entry], [%k.next, %k.end]
  %k.next = add nuw nsw i64 %kv, 1
  %k.row = mul nuw nsw i64 %kv, %n
  %k.at = getelementptr double, ptr %a, i64 %k.row
  %pivot.at = getelementptr double, ptr %k.at, i64 %kv
  %below = icmp slt i64 %k.next, %n
  br i1 %below, label %i, label %k.end
i:
  %iv = phi i64 [%k.next, %k], [%i.next, %i.end]
  %i.row = mul nuw nsw i64 %iv, %n
  %i.at = getelementptr double, ptr %a, i64 %i.row
  %first.at = getelementptr double, ptr %i.at, i64 %kv
  %first = load double, ptr %first.at
  %pivot = load double, ptr %pivot.at
  %f = fdiv double %first, %pivot
  br label %j
j:
  %jv = phi i64 [%k.next, %i], [%j.next, %j]
  %above.at = getelementptr double, ptr %k.at, i64 %jv
  %above = load double, ptr %above.at
  %at = getelementptr double, ptr %i.at, i64 %jv
  %here = load double, ptr %at
  %product = fmul double %f, %above
  %less = fsub double %here, %product
  store double %less, ptr %at
  %j.next = add nuw nsw i64 %jv, 1
  %j.over = icmp eq i64 %j.next, %n
  br i1 %j.over, label %i.end, label %j
i.end:
  %i.next = add nuw nsw i64 %iv, 1
  %i.over = icmp eq i64 %i.next, %n
  br i1 %i.over, label %k.end, label %i
k.end:
  %k.over = icmp eq i64 %k.next, %n
  br i1 %k.over, label %exit, label %k
exit:
  ret void
}

define void @overlapping(ptr noalias %a, i64 %n, i64 %w) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %k, label %exit
k:
  %kv = phi i64 [0, %entry], [%k.next, %k.end]
  %k.next = add nuw nsw i64 %kv, 1
  %k.row = mul nuw nsw i64 %kv, %w
  %k.at = getelementptr double, ptr %a, i64 %k.row
  %pivot.at = getelementptr double, ptr %k.at, i64 %kv
  %below = icmp slt i64 %k.next, %n
  br i1 %below, label %i, label %k.end
i:
  %iv = phi i64 [%k.next, %k], [%i.next, %i.end]
  %i.row = mul nuw nsw i64 %iv, %w
  %i.at = getelementptr double, ptr %a, i64 %i.row
  %first.at = getelementptr double, ptr %i.at, i64 %kv
  %first = load double, ptr %first.at
  %pivot = load double, ptr %pivot.at
  %f = fdiv double %first, %pivot
  br label %j
j:
  %jv = phi i64 [%k.next, %i], [%j.next, %j]
  %above.at = getelementptr double, ptr %k.at, i64 %jv
  %above = load double, ptr %above.at
  %at = getelementptr double, ptr %i.at, i64 %jv
  %here = load double, ptr %at
  %product = fmul double %f, %above
  %less = fsub double %here, %product
  store double %less, ptr %at
  %j.next = add nuw nsw i64 %jv, 1
  %j.over = icmp eq i64 %j.next, %n
  br i1 %j.over, label %i.end, label %j
i.end:
  %i.next = add nuw nsw i64 %iv, 1
  %i.over = icmp eq i64 %i.next, %n
  br i1 %i.over, label %k.end, label %i
k.end:
  %k.over = icmp eq i64 %k.next, %n
  br i1 %k.over, label %exit, label %k
exit:
  ret void
}
