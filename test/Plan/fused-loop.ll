; A loop whose iterations are independent but for a sum runs in the reverse sweep only, and keeps
; what one iteration needs.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ASKED
; RUN: %opt -isozyme-keep=cache -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ASKED
; RUN: %opt -isozyme-adjoint-order=source -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ASKED
; ASKED-NOT: runs in the reverse sweep only
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=CODE

; CHECK: derivative plan for reverse(@sum
; CHECK: tape (local)
; CHECK-NEXT: #0  double scalar  8 bytes  %e primal
; CHECK-NEXT: calls
; CHECK: loop %for  runs in the reverse sweep only, each iteration before its adjoint  (independent but for sums)
; CHECK-NEXT: computed after the reverse sweep
define double @sum(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %sum
}

; The bound is read in each iteration. Which one was the last is known afterwards only, and nobody
; asks.
; CHECK: derivative plan for reverse(@reread
; CHECK: trip count known only afterwards
; CHECK-NOT: growable
; CHECK: loop %for  runs in the reverse sweep only
; CHECK: computed after the reverse sweep
define double @reread(ptr noalias %x, ptr noalias %bound) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %bound
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %sum
}

; Scratch memory that each iteration fills before it reads it: its array is that of one iteration.
; CHECK: derivative plan for reverse(@scratch
; CHECK: double array %read  8 bytes * {{.*}}%e primal  (for one iteration of %for)
; CHECK: loop %for  runs in the reverse sweep only
define double @scratch(ptr noalias %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %bytes = mul i64 %m, 8
  %t = call ptr @malloc(i64 %bytes)
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %join]
  %s = phi double [0.0, %entry], [%sum, %join]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  br label %write
write:
  %j = phi i64 [0, %for], [%j.next, %write]
  %q = getelementptr inbounds double, ptr %x, i64 %j
  %w = load double, ptr %q
  %f = fmul double %v, %w
  %at = getelementptr inbounds double, ptr %t, i64 %j
  store double %f, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %m
  br i1 %j.more, label %write, label %read
read:
  %k = phi i64 [0, %write], [%k.next, %read]
  %r = phi double [0.0, %write], [%r.next, %read]
  %from = getelementptr inbounds double, ptr %t, i64 %k
  %g = load double, ptr %from
  %e = call double @exp(double %g)
  %r.next = fadd double %r, %e
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %m
  br i1 %k.more, label %read, label %join
join:
  %sum = fadd double %s, %r.next
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  call void @free(ptr %t)
  ret double %sum
}

; The last element of the scratch memory comes from the iteration before.
; CHECK: derivative plan for reverse(@stale
; CHECK-NOT: runs in the reverse sweep only
define double @stale(ptr noalias %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %bytes = mul i64 %m, 16
  %t = call ptr @malloc(i64 %bytes)
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %join]
  %s = phi double [0.0, %entry], [%sum, %join]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  br label %write
write:
  %j = phi i64 [0, %for], [%j.next, %write]
  %q = getelementptr inbounds double, ptr %x, i64 %j
  %w = load double, ptr %q
  %f = fmul double %v, %w
  %at = getelementptr inbounds double, ptr %t, i64 %j
  store double %f, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %m
  br i1 %j.more, label %write, label %read
read:
  %k = phi i64 [0, %write], [%k.next, %read]
  %r = phi double [0.0, %write], [%r.next, %read]
  %beyond = add nuw nsw i64 %k, 1
  %from = getelementptr inbounds double, ptr %t, i64 %beyond
  %g = load double, ptr %from
  %e = call double @exp(double %g)
  %r.next = fadd double %r, %e
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %m
  br i1 %k.more, label %read, label %join
join:
  %sum = fadd double %s, %r.next
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  call void @free(ptr %t)
  ret double %sum
}

; The reverse sweep reads the sum, for its logarithm.
; CHECK: derivative plan for reverse(@logarithm
; CHECK-NOT: runs in the reverse sweep only
define double @logarithm(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  %l = call double @log(double %sum)
  ret double %l
}

; What an iteration computes goes into the next one.
; CHECK: derivative plan for reverse(@product
; CHECK-NOT: runs in the reverse sweep only
define double @product(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [1.0, %entry], [%times, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %times = fmul double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %times
}

; The code: no exp before the reverse sweep, and no memory for the tape.
; CODE-LABEL: define void @call(
; CODE-NOT: @exp(
; CODE: {{^}}rev.for
; CODE: call double @exp
; CODE-NOT: isozyme.tape
; CODE: ret void
declare double @exp(double)
declare double @log(double)
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"
define void @call(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @sum, metadata !"enzyme_dup", ptr %x, ptr %dx, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(...)

; What is kept is one number for two calls of exp and fifty products: the loop runs in both sweeps, so that
; the processor or vectors run several of its iterations at once.
; CHECK: derivative plan for reverse(@little
; CHECK: loop %for  runs in both sweeps, for that costs little  (keeping 16, an iteration {{[0-9]+}})
; CHECK-NOT: runs in the reverse sweep only
define double @little(ptr noalias %x, ptr noalias %w, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %end]
  %s = phi double [0.0, %entry], [%sum, %end]
  br label %dot
dot:
  %j = phi i64 [0, %for], [%j.next, %dot]
  %z = phi double [0.0, %for], [%z.next, %dot]
  %p = getelementptr inbounds double, ptr %x, i64 %j
  %v = load double, ptr %p
  %row = mul nuw nsw i64 %i, 50
  %at = add nuw nsw i64 %row, %j
  %q = getelementptr inbounds double, ptr %w, i64 %at
  %f = load double, ptr %q
  %m = fmul double %v, %f
  %z.next = fadd double %z, %m
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 50
  br i1 %j.more, label %dot, label %end
end:
  %e = call double @exp(double %z.next)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %sum
}
