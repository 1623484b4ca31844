; An element that each iteration reads: what the iterations add to its adjoint is summed up in a
; register, and added to memory once.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-adjoint-order=source -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SOURCE
; SOURCE-NOT: carries the adjoints
; RUN: %opt -passes=autodiff -isozyme-verify-each -S %s | FileCheck %s --check-prefix=CODE
; RUN: echo '{"version": 1, "plans": [{"function": "pairs", "sums": [{"sum": "%%mine", "decision": "at once"}]}]}' > %t.in.json
; RUN: %opt -passes=autodiff -isozyme-plan-in=%t.in.json -isozyme-verify-each -isozyme-print-after=plan -disable-output %s 2>&1 | FileCheck %s --check-prefix=TURNED --implicit-check-not=IZ319
; TURNED: loop %for  adds the adjoints of %mine at once  (as the file of plans says)

; Others add to the same array: additions may come in any order.
; CHECK: derivative plan for reverse(@pairs
; CHECK: loop %for  carries the adjoints of %mine +0  (the same element in each iteration)
; CODE-LABEL: define void @gradient(
; CODE: rev.for.i:
; CODE: %mine.pending{{.*}} = phi double
; CODE: store double 0.0{{.*}}, ptr %to.shadow
; CODE: store double
; CODE-NOT: store
; CODE: br i1
; CODE: store double
define void @pairs(ptr noalias %x, ptr noalias %y, i64 %i, i64 %n) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %at.mine = getelementptr inbounds double, ptr %x, i64 %i
  br label %for
for:
  %j = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %j
  %theirs = load double, ptr %at
  %mine = load double, ptr %at.mine
  %product = fmul double %mine, %theirs
  %to = getelementptr inbounds double, ptr %y, i64 %j
  store double %product, ptr %to
  %next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; What is stored takes the adjoint of what is there.
; CHECK: derivative plan for reverse(@mayoverlap
; CHECK-NOT: carries the adjoints
define void @mayoverlap(ptr %x, ptr %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %j = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %y, i64 %j
  %theirs = load double, ptr %at
  %mine = load double, ptr %x
  %product = fmul double %mine, %theirs
  store double %product, ptr %at
  %next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; An element that no iteration may read is not written.
; CHECK: derivative plan for reverse(@maybe
; CHECK-NOT: carries the adjoints
define void @maybe(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %j = phi i64 [0, %entry], [%next, %latch]
  %at = getelementptr inbounds double, ptr %y, i64 %j
  %theirs = load double, ptr %at
  %large = fcmp ogt double %theirs, 1.0
  br i1 %large, label %then, label %latch
then:
  %mine = load double, ptr %x
  %product = fmul double %mine, %theirs
  store double %product, ptr %at
  br label %latch
latch:
  %next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; No iteration may be a whole one.
; CHECK: derivative plan for reverse(@leaves
; CHECK-NOT: carries the adjoints
define void @leaves(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %j = phi i64 [0, %entry], [%next, %body]
  %at = getelementptr inbounds double, ptr %y, i64 %j
  %theirs = load double, ptr %at
  %large = fcmp ogt double %theirs, 1.0
  br i1 %large, label %exit, label %body
body:
  %mine = load double, ptr %x
  %product = fmul double %mine, %theirs
  store double %product, ptr %at
  %next = add nuw nsw i64 %j, 1
  br label %for
exit:
  ret void
}

; Several blocks, and the element is read in each iteration.
; CHECK: derivative plan for reverse(@branches
; CHECK: loop %for  carries the adjoints of %mine +0  (the same element in each iteration)
define void @branches(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %j = phi i64 [0, %entry], [%next, %latch]
  %at = getelementptr inbounds double, ptr %y, i64 %j
  %theirs = load double, ptr %at
  %mine = load double, ptr %x
  %large = fcmp ogt double %theirs, 1.0
  br i1 %large, label %then, label %latch
then:
  %product = fmul double %mine, %theirs
  store double %product, ptr %at
  br label %latch
latch:
  %next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; The address is loaded anew in each iteration.
; CHECK: derivative plan for reverse(@wanders
; CHECK-NOT: carries the adjoints
define void @wanders(ptr noalias %rows, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %j = phi i64 [0, %entry], [%next, %for]
  %row = load volatile ptr, ptr %rows
  %mine = load double, ptr %row
  %square = fmul double %mine, %mine
  %to = getelementptr inbounds double, ptr %y, i64 %j
  store double %square, ptr %to
  %next = add nuw nsw i64 %j, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

define void @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %i, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @pairs, metadata !"enzyme_dup", ptr %x, ptr %dx, metadata !"enzyme_dup", ptr %y, ptr %dy, i64 %i, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(...)
