; Memory that a function stores behind a pointer with a shadow has one too: its caller may write there.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: activity of @create
; CHECK: %m = call ptr @malloc(i64 %n) ; active
; CHECK: store ptr %m, ptr %p, align 8 ; active
define void @create(ptr %p, i64 %n) "isozyme-request"="augment(dup,const)->const" {
  %m = call ptr @malloc(i64 %n)
  store ptr %m, ptr %p, align 8
  ret void
}
declare noalias ptr @malloc(i64)
