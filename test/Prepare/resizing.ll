; realloc is an allocation, a copy of what the old block holds, and a release; the old block stays
; when there is no new one. posix_memalign is aligned_alloc and a store.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @resize
; CHECK:       %q = call ptr @malloc(i64 %n)
; CHECK:       %failed = icmp eq ptr %q, null
; CHECK:       %had = call i64 @malloc_usable_size(ptr %p)
; CHECK:       %kept = call i64 @llvm.umin.i64(i64 %had, i64 %n)
; CHECK:       [[KEPT:%.*]] = select i1 %failed, i64 0, i64 %kept
; CHECK:       call void @llvm.memcpy{{.*}}(ptr %q, ptr %p, i64 [[KEPT]], i1 false)
; CHECK:       %left = select i1 %failed, ptr null, ptr %p
; CHECK:       call void @free(ptr %left)
; CHECK-NOT:   realloc
define ptr @resize(ptr %p, i64 %n) "isozyme-request"="forward(dup,const)->dup" {
  %q = call ptr @realloc(ptr %p, i64 %n)
  ret ptr %q
}

; CHECK-LABEL: @first
; CHECK:       %q = call ptr @malloc(i64 80)
; CHECK-NOT:   memcpy
define ptr @first() "isozyme-request"="forward()->dup" {
  %q = call ptr @reallocarray(ptr null, i64 10, i64 8)
  ret ptr %q
}

; CHECK-LABEL: @aligned
; CHECK:       %aligned = call align 64 ptr @aligned_alloc(i64 64, i64 %n)
; CHECK:       store ptr %aligned, ptr %p
; CHECK:       select i1 %failed, i32 12, i32 0
define i32 @aligned(ptr %p, i64 %n) "isozyme-request"="forward(dup,const)->const" {
  %r = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)
  ret i32 %r
}

declare ptr @realloc(ptr, i64)
declare ptr @reallocarray(ptr, i64, i64)
declare i32 @posix_memalign(ptr, i64, i64)
