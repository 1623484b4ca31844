; With a width, lanes are elements of vectors in loops that only compute. Not where derivatives are loaded or stored
; (each lane is in an array of its own, and the loop vectoriser wants scalars), nor where a function is called.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for forward(@horner: dup double, const i64) -> dup, width 4
; CHECK-NEXT:    loop %loop: lanes are elements of vectors
define double @horner(double %x, i64 %n) "isozyme-request"="forward(dup,const)->dup, width 4" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 1.0, %entry ], [ %s, %loop ]
  %p = fmul double %r, %x
  %q = fadd double %p, 1.0
  %s = call double @llvm.sqrt.f64(double %q)
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
; CHECK-LABEL: derivative plan for forward(@alone: dup double, const i64) -> dup, width 1
; CHECK-NOT:     loop
define double @alone(double %x, i64 %n) "isozyme-request"="forward(dup,const)->dup" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 1.0, %entry ], [ %p, %loop ]
  %p = fmul double %r, %x
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %p
}
; CHECK-LABEL: derivative plan for forward(@sum: dup ptr, const i64) -> dup, width 4
; CHECK-NOT:     loop
define double @sum(ptr %x, i64 %n) "isozyme-request"="forward(dup,const)->dup, width 4" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 1.0, %entry ], [ %s, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %s = fadd double %r, %v
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
; CHECK-LABEL: derivative plan for forward(@iterated: dup double, const i64) -> dup, width 4
; CHECK-NOT:     loop
define double @iterated(double %x, i64 %n) "isozyme-request"="forward(dup,const)->dup, width 4" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ %x, %entry ], [ %s, %loop ]
  %s = call double @sin(double %r)
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
declare double @sin(double)
declare double @llvm.sqrt.f64(double)
