; A struct of a pointer and a number is passed and returned in memory, by a copy of the callee
; that is recursive if the callee is, and that goes again.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-prepared>' -S %s 2>/dev/null | FileCheck %s --check-prefix=MODULE
; MODULE-NOT: by.memory

define { ptr, double } @pair({ ptr, double } %in, i32 %n) {
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %done, label %again
again:
  %less = sub i32 %n, 1
  %r = call { ptr, double } @pair({ ptr, double } %in, i32 %less)
  ret { ptr, double } %r
done:
  ret { ptr, double } %in
}

; CHECK: define internal double @first.prepared(
; CHECK-DAG: %in.slot = alloca { ptr, double }
; CHECK-DAG: %r.slot = alloca { ptr, double }
; CHECK: call void @pair.by.memory(ptr %r.slot, ptr %in.slot, i32 3)
define double @first({ ptr, double } %in) "isozyme-request"="forward(const) -> dup" {
  %r = call { ptr, double } @pair({ ptr, double } %in, i32 3)
  %x = extractvalue { ptr, double } %r, 1
  ret double %x
}
