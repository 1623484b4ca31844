; The reverse of a loop, or of a part of a block, is left out where the adjoints that come into it are zero:
; those of values that a choice mostly does not take.
; RUN: split-file %s %t
; RUN: %opt %t/f.ll -isozyme-chosen=0 -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s
; RUN: %opt %t/f.ll -isozyme-skip-zeros=0 -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s --check-prefix=ASKED
; RUN: %opt %t/f.ll -isozyme-strong-zero=0 -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s --check-prefix=ASKED
; ASKED-NOT: where there is an adjoint
; RUN: %opt %t/code.ll -isozyme-chosen=0 -passes='autodiff<no-cleanup>' -S | FileCheck %s --check-prefix=CODE

; Somebody else may decide.
; RUN: %opt %t/code.ll -isozyme-chosen=0 -passes=autodiff -isozyme-plan-out=%t/out.json -S -o %t/plain.ll
; RUN: FileCheck %s --check-prefix=OUT < %t/out.json
; RUN: %opt %t/code.ll -isozyme-chosen=0 -passes=autodiff -isozyme-plan-in=%t/out.json -S -o %t/again.ll 2>&1 | count 0
; RUN: cmp %t/plain.ll %t/again.ll
; OUT: "skips": [
; OUT-NEXT: {
; OUT-NEXT: "choices": [
; OUT-NEXT: "always",
; OUT-NEXT: "unless zero"
; OUT-NEXT: ],
; OUT-NEXT: "decision": "unless zero",
; OUT-NEXT: "part": "loop %inner",
; OUT-NEXT: "saves": 192,
; OUT-NEXT: "tested": [
; OUT-NEXT: "%square"
; RUN: %opt %t/code.ll -isozyme-chosen=0 -passes=autodiff -isozyme-plan-in=%t/turned.json -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=TURNED --implicit-check-not=IZ319
; TURNED: loop %inner  is always reversed, even if there is no adjoint of %square
; RUN: %opt %t/code.ll -isozyme-chosen=0 -passes=autodiff -isozyme-plan-in=%t/wrong.json -disable-output 2>&1 | FileCheck %s --check-prefix=WRONG --implicit-check-not=IZ319
; WRONG-DAG: the file of plans asks for 'loop %inner' in another way, but it stands in line 0 now, not in line 7 [IZ319]
; WRONG-DAG: the file of plans asks for 'loop %outer' in another way, but nothing is won there by a test for adjoints of zero [IZ319]

; A loop whose result loses.
; CHECK: derivative plan for reverse(@nearest
; CHECK: loop %inner  is reversed only where there is an adjoint of %square
; CHECK-NEXT: reverse

; Here all results are added up, and none is zero.
; CHECK: derivative plan for reverse(@all
; CHECK-NOT: where there is an adjoint
; CHECK: reverse

; What a loop stores has its adjoint in memory.
; CHECK: derivative plan for reverse(@stores
; CHECK-NOT: where there is an adjoint
; CHECK: reverse

; A part of a block, in front of the choice, and all of a block.
; CHECK: derivative plan for reverse(@front
; CHECK: block %for  is reversed only where there is an adjoint of %inside
; CHECK-NEXT: block %then in front of %least.next  is reversed only where there is an adjoint of %far
; CHECK-NEXT: reverse

; However cheap, where the branch in front of a store says that there is none. Without a store LLVM makes no branch
; of it.
; CHECK: derivative plan for reverse(@said
; CHECK: block %for  is reversed only where there is an adjoint of %by
; CHECK-NEXT: reverse
; CHECK: derivative plan for reverse(@flat
; CHECK-NOT: where there is an adjoint
; CHECK: reverse

; CODE: rev.inner.test:
; CODE-NEXT: [[ZERO:%.*]] = fcmp oeq double %{{.*}}, 0.000000e+00, !isozyme.guard
; CODE-NEXT: br i1 [[ZERO]], label %rev.outer, label %rev.inner.entry, !isozyme.guard

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

define double @all(ptr noalias %x, i64 %count, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %outer
outer:
  %c = phi i64 [ 0, %entry ], [ %c.next, %latch ]
  %total = phi double [ 0.0, %entry ], [ %total.next, %latch ]
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
  %root = call double @sqrt(double %square)
  %total.next = fadd double %total, %root
  %c.next = add nuw nsw i64 %c, 1
  %again = icmp slt i64 %c.next, %count
  br i1 %again, label %outer, label %exit
exit:
  ret double %total.next
}

define double @stores(ptr noalias %x, ptr noalias %y, i64 %count, i64 %n) "isozyme-request"="reverse(dup,dup,const,const)->active" {
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
  %q = getelementptr double, ptr %y, i64 %at
  store double %vv, ptr %q
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

define double @front(ptr noalias %x, i64 %count) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %c = phi i64 [ 0, %entry ], [ %c.next, %latch ]
  %least = phi double [ 1.0e300, %entry ], [ %least.here, %latch ]
  %at = mul i64 %c, 3
  %p = getelementptr double, ptr %x, i64 %at
  %a = load double, ptr %p
  %q = getelementptr double, ptr %p, i64 1
  %b = load double, ptr %q
  %r = getelementptr double, ptr %p, i64 2
  %d = load double, ptr %r
  %ab = fmul double %a, %b
  %abd = fmul double %ab, %d
  %inside = fadd double %abd, %a
  %hit = fcmp ogt double %inside, 0.0
  br i1 %hit, label %then, label %latch
then:
  %root = call double @sqrt(double %inside)
  %over = fdiv double 1.0, %root
  %under = fdiv double %over, %inside
  %far = fmul double %under, %root
  %is.less = fcmp olt double %far, %least
  %least.next = select i1 %is.less, double %far, double %least
  br label %latch
latch:
  %least.here = phi double [ %least.next, %then ], [ %least, %for ]
  %c.next = add nuw nsw i64 %c, 1
  %again = icmp slt i64 %c.next, %count
  br i1 %again, label %for, label %exit
exit:
  ret double %least.here
}
declare double @sqrt(double)

define double @said(ptr noalias %x, ptr noalias %d, i64 %count) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br label %for
for:
  %c = phi i64 [ 0, %entry ], [ %c.next, %latch ]
  %p = getelementptr double, ptr %x, i64 %c
  %by = load double, ptr %p
  %q = getelementptr double, ptr %d, i64 %c
  %there = load double, ptr %q
  %hit = fcmp olt double %by, %there
  br i1 %hit, label %then, label %latch
then:
  store double %by, ptr %q
  br label %latch
latch:
  %c.next = add nuw nsw i64 %c, 1
  %again = icmp slt i64 %c.next, %count
  br i1 %again, label %for, label %exit
exit:
  ret double 0.0
}

define double @flat(ptr noalias %x, ptr noalias %d, i64 %count) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %for
for:
  %c = phi i64 [ 0, %entry ], [ %c.next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %latch ]
  %p = getelementptr double, ptr %x, i64 %c
  %by = load double, ptr %p
  %q = getelementptr double, ptr %d, i64 %c
  %there = load double, ptr %q
  %hit = fcmp olt double %by, %there
  br i1 %hit, label %then, label %latch
then:
  %sum = fadd double %s, %by
  br label %latch
latch:
  %s.next = phi double [ %s, %for ], [ %sum, %then ]
  %c.next = add nuw nsw i64 %c, 1
  %again = icmp slt i64 %c.next, %count
  br i1 %again, label %for, label %exit
exit:
  ret double %s.next
}

;--- code.ll
define double @f(ptr noalias %x, i64 %count, i64 %n) {
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
define void @gradient(ptr %x, ptr %dx, i64 %count, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %count, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)

;--- turned.json
{ "version": 1, "plans": [ { "function": "f", "skips": [ { "part": "loop %inner", "decision": "always" } ] } ] }
;--- wrong.json
{ "version": 1, "plans": [ { "function": "f", "skips": [
  { "part": "loop %inner", "line": 7, "decision": "always" },
  { "part": "loop %outer", "decision": "unless zero" } ] } ] }
