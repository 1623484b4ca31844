; Memory without a shadow, as of indices, is released after the reverse sweep, too, which reads it again. It is released
; where the program does that in loops that make memory as well, in a function that is called, and in forward mode.
; RUN: %opt %s -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s
; RUN: %opt %s -passes=autodiff -S | FileCheck %s --check-prefix=CODE

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"
declare void @fill(ptr) "enzyme_inactive" nounwind

; CHECK-LABEL: derivative plan for reverse(@once:
; CHECK:         %k primal  reload  (not overwritten afterwards)
; CHECK:         @free   free   releases memory without shadow, later
define double @once(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %index = call ptr @malloc(i64 800)
  call void @fill(ptr %index)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr i64, ptr %index, i64 %i
  %k = load i64, ptr %at
  %from = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %more = fadd double %sum, %w
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  call void @free(ptr %index)
  ret double %more
}

; CHECK-LABEL: derivative plan for reverse(@inLoop:
; CHECK:         @free   inactive   releases memory without shadow
define double @inLoop(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %index = call ptr @malloc(i64 800)
  call void @fill(ptr %index)
  %at = getelementptr i64, ptr %index, i64 %i
  %k = load i64, ptr %at
  %from = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %from
  %w = fmul double %v, %v
  %more = fadd double %sum, %w
  call void @free(ptr %index)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret double %more
}

; A list of blocks is released one by one: all of them were there.
; CHECK-LABEL: derivative plan for reverse(@list:
; CHECK:         @free   free   releases memory without shadow, later
define double @list(ptr %x, ptr %first) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %index = getelementptr i8, ptr %first, i64 8
  %k = load i64, ptr %index
  %from = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %from
  %w = fmul double %v, %v
  br label %loop
loop:
  %at = phi ptr [ %first, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %at
  call void @free(ptr %at)
  %none = icmp eq ptr %next, null
  br i1 %none, label %done, label %loop
done:
  ret double %w
}

; CHECK-LABEL: derivative plan for augment(@called:
; CHECK:         @free   inactive   releases memory without shadow
define double @called(ptr %x) "isozyme-request"="augment(dup)->active" {
  %index = call ptr @malloc(i64 8)
  call void @fill(ptr %index)
  %k = load i64, ptr %index
  %from = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %from
  %w = fmul double %v, %v
  call void @free(ptr %index)
  ret double %w
}

; CHECK-LABEL: derivative plan for forward(@ahead:
; CHECK:         @free   inactive   releases memory without shadow
define double @ahead(ptr %x) "isozyme-request"="forward(dup)->dup" {
  %index = call ptr @malloc(i64 8)
  call void @fill(ptr %index)
  %k = load i64, ptr %index
  %from = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %from
  %w = fmul double %v, %v
  call void @free(ptr %index)
  ret double %w
}

; The block alone goes on the list.
; CODE-LABEL: define void @gradient(
; CODE-NOT:     @free
; CODE:         @isozyme.release.later(ptr %index
; CODE-NOT:     @isozyme.release.later
; CODE:         ret void
define void @gradient(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @once, ptr %x, ptr %dx, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(...)
