; Code from which no return is reached is marked, and an endless loop still counts.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @server
; CHECK: loop %serve: depth 1, counter %iv, endless
; CHECK: never returns: %entry
; CHECK: never returns: %serve
define void @server(ptr %p) {
entry:
  br label %serve
serve:
  %i = phi i32 [ 7, %entry ], [ %i.next, %serve ]
  store volatile i32 %i, ptr %p
  %i.next = add i32 %i, 1
  br label %serve
}

; The failing side does not count as a predecessor of anything that returns.
; CHECK-LABEL: prepared function for @checked
; CHECK-NOT: %from
; CHECK: never returns: %fail
; CHECK-NOT: never returns
define double @checked(double %x) {
entry:
  %bad = fcmp olt double %x, 0.0
  br i1 %bad, label %fail, label %good
fail:
  call void @abort()
  unreachable
good:
  ret double %x
nobody:
  br label %nobody
}
declare void @abort() noreturn
