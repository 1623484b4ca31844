; What leads to active memory has a shadow; const members beside it lead to themselves, for the
; function that is called cannot know which is which.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: activity of @context
; CHECK: argument %index: inactive
; CHECK: %s = alloca {{.*}} ; active
; CHECK: store ptr %x, ptr %s{{.*}} ; active
; CHECK: store ptr %index, {{.*}} ; active
; CHECK: %r = call double @use(ptr %s)  ; active
define double @context(ptr %x, ptr %index) "isozyme-request"="reverse(dup,const)->active" {
  %s = alloca { ptr, ptr }
  store ptr %x, ptr %s
  %second = getelementptr i8, ptr %s, i64 8
  store ptr %index, ptr %second
  %r = call double @use(ptr %s)
  ret double %r
}
define internal double @use(ptr %s) {
  %x = load ptr, ptr %s
  %second = getelementptr i8, ptr %s, i64 8
  %index = load ptr, ptr %second
  %i = load i64, ptr %index
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  ret double %v
}

; A list: the next pointer is active, its comparison is not.
; CHECK-LABEL: activity of @list
; CHECK: %p = phi ptr {{.*}} ; active
; CHECK: icmp eq ptr {{.*}} ; inactive
; CHECK: %next = load ptr, {{.*}} ; active
define double @list(ptr %head) "isozyme-request"="reverse(dup)->active" {
entry:
  br label %loop
loop:
  %p = phi ptr [%head, %entry], [%next, %body]
  %s = phi double [0.0, %entry], [%t, %body]
  %end = icmp eq ptr %p, null
  br i1 %end, label %exit, label %body
body:
  %v = load double, ptr %p
  %t = fadd double %s, %v
  %link = getelementptr i8, ptr %p, i64 8
  %next = load ptr, ptr %link
  br label %loop
exit:
  ret double %s
}

; Integers behind a pointer with a shadow are inactive when types prove it.
; CHECK-LABEL: activity of @indexed
; CHECK: argument %n: inactive
; CHECK: %k = load {{.*}} ; inactive
define double @indexed(ptr %x, ptr %n) "isozyme-request"="reverse(dup,dup)->active" {
  %k = load i32, ptr %n
  %next = add i32 %k, 1
  store i32 %next, ptr %n
  %wide = sext i32 %k to i64
  %p = getelementptr double, ptr %x, i64 %wide
  %v = load double, ptr %p
  ret double %v
}

; A pointer that is handed to the caller keeps its shadow.
; CHECK-LABEL: activity of @link
; CHECK: store ptr %p, ptr %s{{.*}} ; active
define void @link(ptr %s, ptr %p) "isozyme-request"="forward(dup,dup)->const" {
  store ptr %p, ptr %s
  ret void
}

; The caller reads on from a pointer that is returned.
; CHECK-LABEL: activity of @row
; CHECK: %first = load ptr, {{.*}} ; active
; CHECK: %row = getelementptr {{.*}} ; active
; CHECK: ret ptr %row  ; active
define ptr @row(ptr %rows, i64 %i) "isozyme-request"="augment(dup,const)->dup" {
  %first = load ptr, ptr %rows
  %row = getelementptr [3 x ptr], ptr %first, i64 %i
  %probe = load volatile ptr, ptr %row
  ret ptr %row
}
