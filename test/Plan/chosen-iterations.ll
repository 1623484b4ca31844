; Of a loop that looks for the nearest, the iteration in which it was found is reversed, and no other.
; RUN: split-file %s %t
; RUN: %opt %t/f.ll -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s
; RUN: %opt %t/f.ll -isozyme-chosen=0 -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s --check-prefix=ASKED
; RUN: %opt %t/f.ll -isozyme-strong-zero=0 -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s --check-prefix=ASKED
; ASKED-NOT: one iteration is reversed
; RUN: %opt %t/code.ll -passes='autodiff<no-cleanup>' -S | FileCheck %s --check-prefix=CODE
; RUN: %opt %t/f.ll -passes='print<isozyme-prepared>' -disable-output 2>&1 | FileCheck %s --check-prefix=NOTED

; The number of the iteration is kept, and no condition.
; NOTED: prepared function for @nearest
; NOTED: %chosen = phi i64 [ -1, %entry ], [ [[NOW:%[^ ]*]], %latch ]
; NOTED: [[NOW]] = select i1 %is.less, i64 %iv, i64 %chosen
; NOTED: [[LAST:%chosen.last]] = phi i64 [ [[NOW]], %latch ]
; NOTED: loop %outer: depth 1, {{.*}}, %least from iteration [[LAST]]
; CHECK: derivative plan for reverse(@nearest
; CHECK-NOT: %is.less
; CHECK: %chosen.last primal  for chosen iteration of %outer
; CHECK-NOT: %is.less
; CHECK: loop %outer  one iteration is reversed: %chosen.last, which has given %least.next
; CHECK-NEXT: loop %inner  touches other memory
; CHECK-NEXT: forecast

; Two values that are replaced at once, one of them where ways meet.
; NOTED: prepared function for @both
; NOTED: loop %loop: {{.*}}, %least from iteration [[LAST:%[^ ,]*]], %side from iteration [[LAST]]
; CHECK: derivative plan for reverse(@both
; CHECK: loop %loop  one iteration is reversed: {{.*}}, which has given %least.next %side.next

; The second nearest was the nearest.
; CHECK: derivative plan for reverse(@second
; CHECK-NOT: one iteration is reversed
; CHECK: reverse

; What was found is a part of what comes after it.
; CHECK: derivative plan for reverse(@sinks
; CHECK-NOT: one iteration is reversed
; CHECK: reverse

; A sum beside it.
; CHECK: derivative plan for reverse(@sums
; CHECK-NOT: one iteration is reversed
; CHECK: reverse

; What the loop stores has its adjoint in memory.
; CHECK: derivative plan for reverse(@stores
; CHECK-NOT: one iteration is reversed
; CHECK: reverse

; CODE: rev.outer.test:
; CODE-NEXT: [[NONE:%.*]] = icmp slt i64 %chosen.now, 0
; CODE-NEXT: br i1 [[NONE]], label %rev.outer.test.none, label %rev.outer.entry
; CODE-NOT: rev.outer.to.latch

;--- f.ll
define double @nearest(ptr noalias %x, i64 %count, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %outer
outer:
  %c = phi i64 [ 0, %entry ], [ %c.next, %latch ]
  %least = phi double [ 1.0e300, %entry ], [ %least.next, %latch ]
  %row = mul i64 %c, %n
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %s = phi double [ 0.0, %outer ], [ %square, %inner ]
  %at = add i64 %row, %i
  %p = getelementptr double, ptr %x, i64 %at
  %v = load double, ptr %p
  %vv = fmul double %v, %v
  %square = fadd double %s, %vv
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %is.less = fcmp olt double %square, %least
  %least.next = select i1 %is.less, double %square, double %least
  %c.next = add nuw nsw i64 %c, 1
  %again = icmp slt i64 %c.next, %count
  br i1 %again, label %outer, label %exit
exit:
  ret double %least.next
}

define double @both(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %start = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %least = phi double [ %start, %entry ], [ %least.next, %latch ]
  %side = phi double [ 0.0, %entry ], [ %side.next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %vv = fmul double %v, %v
  %is.less = fcmp olt double %vv, %least
  br i1 %is.less, label %better, label %latch
better:
  %w = fmul double %vv, %v
  br label %latch
latch:
  %least.next = phi double [ %vv, %better ], [ %least, %loop ]
  %side.next = phi double [ %w, %better ], [ %side, %loop ]
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = fmul double %least.next, %side.next
  ret double %r
}

define double @second(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %start = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %least = phi double [ %start, %entry ], [ %least.next, %latch ]
  %side = phi double [ 0.0, %entry ], [ %side.next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %vv = fmul double %v, %v
  %is.less = fcmp olt double %vv, %least
  br label %latch
latch:
  %least.next = select i1 %is.less, double %vv, double %least
  %side.next = select i1 %is.less, double %least, double %side
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = fmul double %least.next, %side.next
  ret double %r
}

define double @sinks(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %start = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %least = phi double [ %start, %entry ], [ %least.next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %vv = fmul double %v, %v
  %is.less = fcmp olt double %vv, %least
  br label %latch
latch:
  %w = fadd double %vv, %least
  %least.next = select i1 %is.less, double %w, double %least
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %least.next
}

define double @sums(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %start = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %least = phi double [ %start, %entry ], [ %least.next, %latch ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %vv = fmul double %v, %v
  %is.less = fcmp olt double %vv, %least
  br label %latch
latch:
  %sum.next = fadd double %sum, %vv
  %least.next = select i1 %is.less, double %vv, double %least
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = fmul double %least.next, %sum.next
  ret double %r
}

define double @stores(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %start = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %least = phi double [ %start, %entry ], [ %least.next, %latch ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %vv = fmul double %v, %v
  %is.less = fcmp olt double %vv, %least
  br label %latch
latch:
  %q = getelementptr double, ptr %y, i64 %i
  store double %vv, ptr %q
  %least.next = select i1 %is.less, double %vv, double %least
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %least.next
}

;--- code.ll
declare void @__enzyme_autodiff(...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
define void @gradient(ptr %x, ptr %dx, i64 %count, i64 %n) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @nearest, i32 %dup, ptr %x, ptr %dx, i32 %const, i64 %count, i32 %const, i64 %n)
  ret void
}
define double @nearest(ptr noalias %x, i64 %count, i64 %n) {
entry:
  br label %outer
outer:
  %c = phi i64 [ 0, %entry ], [ %c.next, %latch ]
  %least = phi double [ 1.0e300, %entry ], [ %least.next, %latch ]
  %row = mul i64 %c, %n
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %s = phi double [ 0.0, %outer ], [ %square, %inner ]
  %at = add i64 %row, %i
  %p = getelementptr double, ptr %x, i64 %at
  %v = load double, ptr %p
  %vv = fmul double %v, %v
  %square = fadd double %s, %vv
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %is.less = fcmp olt double %square, %least
  %least.next = select i1 %is.less, double %square, double %least
  %c.next = add nuw nsw i64 %c, 1
  %again = icmp slt i64 %c.next, %count
  br i1 %again, label %outer, label %exit
exit:
  ret double %least.next
}
