; A store is undone where that costs less than to keep what the loads have read that it overwrites.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-undo=never -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEVER
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-undo=always -disable-output %s 2>&1 | FileCheck %s --check-prefix=ALWAYS
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-keep=cache -isozyme-undo=always -disable-output %s 2>&1 | FileCheck %s --check-prefix=NEVER

declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare double @llvm.sin.f64(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; for (t < n) for (i < n) a[i+1] = a[i] * a[i+1] * a[i+2];  three loads, one store
define double @sweeps(ptr noalias readonly %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  %a = call ptr @malloc(i64 800)
  %first = load double, ptr %x
  store double %first, ptr %a
  br label %outer
outer:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %r = getelementptr inbounds i8, ptr %p, i64 16
  %left = load double, ptr %p
  %mid = load double, ptr %q
  %right = load double, ptr %r
  %lm = fmul double %left, %mid
  %new = fmul double %lm, %right
  store double %new, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %latch, label %inner
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.c = icmp eq i64 %t.next, %n
  br i1 %t.c, label %done, label %outer
done:
  %result = load double, ptr %a
  call void @free(ptr %a)
  ret double %result
}
; CHECK-LABEL: plan for reverse(@sweeps
; CHECK:         %mid primal  for %lm  reload  (what overwrites it is undone)
; CHECK:         store #2 overwritten  cache #[[SLOT:[0-9]+]]  (put back in the reverse sweep)
; CHECK:         %left primal  for %lm  reload  (what overwrites it is undone)
; CHECK:         %right primal  for %new  reload  (what overwrites it is undone)
; CHECK:       tape (local)
; CHECK:         #[[SLOT]]  double array %outer %inner  {{.*}}  store #2 overwritten
; NEVER-LABEL: plan for reverse(@sweeps
; NEVER-NOT:     undone
; NEVER-NOT:     overwritten  cache
; NEVER-LABEL: plan for reverse(@

; One load and one store: to keep what is read costs no more.
define double @one(ptr noalias readonly %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  %a = call ptr @malloc(i64 64)
  %first = load double, ptr %x
  store double %first, ptr %a
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = load double, ptr %a
  %s = call double @llvm.sin.f64(double %v)
  store double %s, ptr %a
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %loop
done:
  %result = load double, ptr %a
  ret double %result
}
; CHECK-LABEL: plan for reverse(@one
; CHECK:         %v primal  for %s  cache #{{[0-9]+}}  (may be overwritten)
; ALWAYS-LABEL: plan for reverse(@one
; ALWAYS:        %v primal  for %s  reload  (what overwrites it is undone)
; ALWAYS:        store #2 overwritten  cache

; The value is read behind the store, and so in front of where it is undone.
define double @late(ptr noalias readonly %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  %a = call ptr @malloc(i64 64)
  %first = load double, ptr %x
  store double %first, ptr %a
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = load double, ptr %a
  store double %first, ptr %a
  %w = load volatile double, ptr %x
  %s = fmul double %v, %w
  %u = fmul double %s, %v
  store double %u, ptr %a
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %loop
done:
  %result = load double, ptr %a
  ret double %result
}
; ALWAYS-LABEL: plan for reverse(@late
; ALWAYS:        %v primal {{.*}} cache #{{[0-9]+}}  (may be overwritten)
; ALWAYS-NOT:    overwritten  cache

; The caller's memory has to be left as the function leaves it.
define double @seen(ptr noalias %a, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = load double, ptr %a
  %s = call double @llvm.sin.f64(double %v)
  store double %s, ptr %a
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %loop
done:
  %result = load double, ptr %a
  ret double %result
}
; ALWAYS-LABEL: plan for reverse(@seen
; ALWAYS:        %v primal  for %s  cache #{{[0-9]+}}  (may be overwritten)

; Others than stores overwrite it.
define double @cleared(ptr noalias readonly %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  %a = call ptr @malloc(i64 64)
  %first = load double, ptr %x
  store double %first, ptr %a
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = load double, ptr %a
  %s = call double @llvm.sin.f64(double %v)
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)
  store double %s, ptr %a
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %loop
done:
  %result = load double, ptr %a
  ret double %result
}
; ALWAYS-LABEL: plan for reverse(@cleared
; ALWAYS:        %v primal  for %s  cache #{{[0-9]+}}  (may be overwritten)

; Both halves of a pair: the second one does not find the memory of the first.
define double @halves(ptr noalias readonly %x, i64 %n) "isozyme-request"="augment(dup, const) -> active" {
entry:
  %a = call ptr @malloc(i64 64)
  %first = load double, ptr %x
  store double %first, ptr %a
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = load double, ptr %a
  %s = call double @llvm.sin.f64(double %v)
  store double %s, ptr %a
  %i.next = add nuw nsw i64 %i, 1
  %i.c = icmp eq i64 %i.next, %n
  br i1 %i.c, label %done, label %loop
done:
  %result = load double, ptr %a
  ret double %result
}
; ALWAYS-LABEL: plan for augment(@halves
; ALWAYS:        %v primal  for %s  cache #{{[0-9]+}}  (may be overwritten)
; ALWAYS-NOT:    overwritten  cache
