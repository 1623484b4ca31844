; A store of a choice between what is there and something else is reversed where it has changed something.
; RUN: split-file %s %t
; RUN: %opt %t/f.ll -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s
; RUN: %opt %t/f.ll -isozyme-skip-zeros=0 -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s --check-prefix=ASKED
; ASKED-NOT: where memory is changed
; RUN: %opt %t/code.ll -passes='autodiff<no-cleanup>' -S | FileCheck %s --check-prefix=CODE

; Somebody else may decide.
; RUN: %opt %t/code.ll -passes=autodiff -isozyme-plan-out=%t/out.json -S -o %t/plain.ll
; RUN: FileCheck %s --check-prefix=OUT < %t/out.json
; RUN: sed 's/"decision": "unless zero"/"decision": "always"/' %t/out.json > %t/turned.json
; RUN: %opt %t/code.ll -passes=autodiff -isozyme-plan-in=%t/turned.json -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=TURNED
; OUT: "decision": "unless zero",
; OUT-NEXT: "part": "block %loop",
; TURNED: block %loop in front of %i.next  is always reversed, even if no memory is changed by %new

; CHECK: derivative plan for reverse(@shortest
; CHECK: block %loop in front of %i.next  is reversed only where memory is changed by %new

; What is stored goes to another place, too.
; CHECK: derivative plan for reverse(@again
; CHECK-NOT: where memory is changed
; CHECK: reverse

; What was there is a part of the other one.
; CHECK: derivative plan for reverse(@part
; CHECK-NOT: where memory is changed
; CHECK: reverse

; It is stored elsewhere.
; CHECK: derivative plan for reverse(@elsewhere
; CHECK-NOT: where memory is changed
; CHECK: reverse

; There is little to leave out.
; CHECK: derivative plan for reverse(@zero
; CHECK-NOT: where memory is changed
; CHECK: reverse

; CODE: rev.loop:
; CODE: br i1 %{{.*}}, label %rev.loop.some, label %rev.loop.behind
; CODE: rev.loop.some:
; CODE: store double 0.0
; CODE: br label %rev.loop.behind

;--- f.ll
define void @shortest(ptr %d, i64 %n, i64 %k) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %row = mul i64 %i, %n
  %by.at = add i64 %row, %k
  %by.p = getelementptr double, ptr %d, i64 %by.at
  %by = load double, ptr %by.p
  %way.at = mul i64 %i, %k
  %way.p = getelementptr double, ptr %d, i64 %way.at
  %way = load double, ptr %way.p
  %sum = fadd double %by, %way
  %p = getelementptr double, ptr %d, i64 %i
  %old = load double, ptr %p
  %is.less = fcmp olt double %sum, %old
  %new = select i1 %is.less, double %sum, double %old
  store double %new, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @again(ptr %d, i64 %n, i64 %k) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %row = mul i64 %i, %n
  %by.at = add i64 %row, %k
  %by.p = getelementptr double, ptr %d, i64 %by.at
  %by = load double, ptr %by.p
  %way.at = mul i64 %i, %k
  %way.p = getelementptr double, ptr %d, i64 %way.at
  %way = load double, ptr %way.p
  %sum = fadd double %by, %way
  %p = getelementptr double, ptr %d, i64 %i
  %old = load double, ptr %p
  %is.less = fcmp olt double %sum, %old
  %new = select i1 %is.less, double %sum, double %old
  store double %new, ptr %p
  %q = getelementptr double, ptr %p, i64 %n
  store double %new, ptr %q
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @part(ptr %d, i64 %n, i64 %k) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %row = mul i64 %i, %n
  %by.at = add i64 %row, %k
  %by.p = getelementptr double, ptr %d, i64 %by.at
  %by = load double, ptr %by.p
  %way.at = mul i64 %i, %k
  %way.p = getelementptr double, ptr %d, i64 %way.at
  %way = load double, ptr %way.p
  %sum = fadd double %by, %way
  %p = getelementptr double, ptr %d, i64 %i
  %old = load double, ptr %p
  %is.less = fcmp olt double %sum, %old
  %half = fmul double %old, %sum
  %new = select i1 %is.less, double %half, double %old
  store double %new, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @elsewhere(ptr %d, i64 %n, i64 %k) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %row = mul i64 %i, %n
  %by.at = add i64 %row, %k
  %by.p = getelementptr double, ptr %d, i64 %by.at
  %by = load double, ptr %by.p
  %way.at = mul i64 %i, %k
  %way.p = getelementptr double, ptr %d, i64 %way.at
  %way = load double, ptr %way.p
  %sum = fadd double %by, %way
  %p = getelementptr double, ptr %d, i64 %i
  %old = load double, ptr %p
  %is.less = fcmp olt double %sum, %old
  %new = select i1 %is.less, double %sum, double %old
  store double %new, ptr %by.p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @zero(ptr %d, i64 %n, i64 %k) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %row = mul i64 %i, %n
  %by.at = add i64 %row, %k
  %by.p = getelementptr double, ptr %d, i64 %by.at
  %by = load double, ptr %by.p
  %way.at = mul i64 %i, %k
  %way.p = getelementptr double, ptr %d, i64 %way.at
  %way = load double, ptr %way.p
  %sum = fadd double %by, %way
  %p = getelementptr double, ptr %d, i64 %i
  %old = load double, ptr %p
  %is.less = fcmp olt double %sum, %old
  %new = select i1 %is.less, double 0.0, double %old
  store double %new, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

;--- code.ll
declare void @__enzyme_autodiff(...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
define void @gradient(ptr %x, ptr %dx, i64 %n, i64 %k) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @shortest, i32 %dup, ptr %x, ptr %dx, i32 %const, i64 %n, i32 %const, i64 %k)
  ret void
}
define void @shortest(ptr %d, i64 %n, i64 %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %row = mul i64 %i, %n
  %by.at = add i64 %row, %k
  %by.p = getelementptr double, ptr %d, i64 %by.at
  %by = load double, ptr %by.p
  %way.at = mul i64 %i, %k
  %way.p = getelementptr double, ptr %d, i64 %way.at
  %way = load double, ptr %way.p
  %sum = fadd double %by, %way
  %p = getelementptr double, ptr %d, i64 %i
  %old = load double, ptr %p
  %is.less = fcmp olt double %sum, %old
  %new = select i1 %is.less, double %sum, double %old
  store double %new, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
