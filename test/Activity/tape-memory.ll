; Memory that one half of a pair makes and the other releases has a shadow in both, though one of
; them may know that there are only numbers in it. Other memory has none where that is known.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: activity of @make
; CHECK: %tape = call ptr @malloc(i64 %n) {{.*}}; active
; CHECK: %list = call ptr @malloc(i64 %n) ; inactive
; CHECK: store ptr %tape, ptr %p, align 8 ; active
; CHECK: store ptr %list, ptr %q, align 8 ; inactive
define void @make(ptr %p, ptr %q, i64 %n) "isozyme-request"="forward(dup,dup,const)->const" {
  %tape = call ptr @malloc(i64 %n) "isozyme-tape-memory"
  %list = call ptr @malloc(i64 %n)
  %few = and i64 %n, 3
  %tape.at = getelementptr i64, ptr %tape, i64 %few
  %list.at = getelementptr i64, ptr %list, i64 %few
  store i64 %few, ptr %tape.at
  store i64 %few, ptr %list.at
  store ptr %tape, ptr %p
  store ptr %list, ptr %q
  ret void
}

; CHECK-LABEL: activity of @release
; CHECK: %tape = load ptr, ptr %p, align 8 ; active
; CHECK: %list = load ptr, ptr %q, align 8 ; inactive
; CHECK: call void @free(ptr %tape) {{.*}}; active
; CHECK: call void @free(ptr %list) ; inactive
define void @release(ptr %p, ptr %q, ptr %r, i64 %n) "isozyme-request"="forward(dup,dup,const,const)->const" {
  %tape = load ptr, ptr %p
  %list = load ptr, ptr %q
  %tape.at = getelementptr i64, ptr %tape, i64 %n
  %list.at = getelementptr i64, ptr %list, i64 %n
  %a = load i64, ptr %tape.at
  %b = load i64, ptr %list.at
  %r.a = getelementptr i64, ptr %r, i64 %a
  %r.b = getelementptr i64, ptr %r, i64 %b
  store i64 %a, ptr %r.b
  store i64 %b, ptr %r.a
  call void @free(ptr %tape) "isozyme-tape-memory"
  call void @free(ptr %list)
  ret void
}

; What callees do with it counts, too: this one hands the memory on.
; CHECK-LABEL: activity of @hand.on
; CHECK: %t = load ptr, ptr %m, align 8 ; active
; CHECK: store ptr %t, ptr %n, align 8 ; active
define void @hand.on(ptr %x, i64 %n.x) "isozyme-request"="forward(dup,const)->const" {
  %m = alloca { ptr, double }
  %n = alloca { ptr, double }
  %l = alloca ptr
  %k = alloca [8 x i64]
  %v = load double, ptr %x
  %m.1 = getelementptr { ptr, double }, ptr %m, i64 0, i32 1
  store double %v, ptr %m.1
  call void @make(ptr %m, ptr %l, i64 %n.x)
  %t = load ptr, ptr %m
  %w = load double, ptr %m.1
  store ptr %t, ptr %n
  %n.1 = getelementptr { ptr, double }, ptr %n, i64 0, i32 1
  store double %w, ptr %n.1
  call void @release(ptr %n, ptr %l, ptr %k, i64 %n.x)
  %z = load double, ptr %n.1
  store double %z, ptr %x
  ret void
}
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"
