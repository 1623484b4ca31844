; A number or an address that is stored as what has been chosen is stored on each way by itself. Not so where something
; writes to memory before the store, where the address of the store is only known behind the choice, or where what has
; been chosen is used elsewhere, too.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: prepared function for @split
; CHECK: [[ONE:%.*]] = getelementptr double, ptr %u, i64 %n
; CHECK: store ptr %p, ptr [[ONE]]
; CHECK: [[TWO:%.*]] = getelementptr double, ptr %u, i64 %n
; CHECK: store i64 %b, ptr [[TWO]]
; CHECK-NOT: {{phi i64|store|getelementptr}}
; CHECK: ret void
define void @split(ptr %p, ptr %x, ptr %u, i64 %n, i1 %which) "isozyme-request"="reverse(dup,dup,dup,const,const)->const" {
  br i1 %which, label %one, label %two
one:
  %a = ptrtoint ptr %p to i64
  br label %join
two:
  %b = load i64, ptr %x
  br label %join
join:
  %w = phi i64 [ %a, %one ], [ %b, %two ]
  %step = getelementptr double, ptr %u, i64 %n
  store i64 %w, ptr %step
  ret void
}

; CHECK-LABEL: prepared function for @written
; CHECK: store i64 %w
define void @written(ptr %p, ptr %x, ptr %u, i1 %which) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
  br i1 %which, label %one, label %two
one:
  %a = ptrtoint ptr %p to i64
  br label %join
two:
  %b = load i64, ptr %x
  br label %join
join:
  %w = phi i64 [ %a, %one ], [ %b, %two ]
  store double 1.0, ptr %x
  store i64 %w, ptr %u
  ret void
}

; CHECK-LABEL: prepared function for @later
; CHECK: store i64 %w
define void @later(ptr %p, ptr %x, ptr %u, ptr %v, i1 %which) "isozyme-request"="reverse(dup,dup,dup,dup,const)->const" {
  br i1 %which, label %one, label %two
one:
  %a = ptrtoint ptr %p to i64
  br label %join
two:
  %b = load i64, ptr %x
  br label %join
join:
  %w = phi i64 [ %a, %one ], [ %b, %two ]
  %to = phi ptr [ %u, %one ], [ %v, %two ]
  store i64 %w, ptr %to
  ret void
}

; CHECK-LABEL: prepared function for @used
; CHECK: store i64 %w
define i1 @used(ptr %p, ptr %x, ptr %u, i1 %which) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
  br i1 %which, label %one, label %two
one:
  %a = ptrtoint ptr %p to i64
  br label %join
two:
  %b = load i64, ptr %x
  br label %join
join:
  %w = phi i64 [ %a, %one ], [ %b, %two ]
  store i64 %w, ptr %u
  %none = icmp eq i64 %w, 0
  ret i1 %none
}
