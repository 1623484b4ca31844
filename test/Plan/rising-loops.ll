; A loop over neighbours whose iterations are independent counts up in the reverse sweep, as it did
; in the forward sweep, with the loops around it that may as well.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-adjoint-order=source -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SOURCE
; SOURCE-NOT: {{counts up|up to}}
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=CODE

; The load that is furthest behind adds to an element when all others have.
; CHECK-LABEL: derivative plan for reverse(@differences
; CHECK: loop %for  carries the adjoints of %here +0 %right +1  (neighbours of one another)
; CHECK-NEXT: loop %for  counts up in the reverse sweep, too  (its iterations are independent)
; CHECK: %for: loop, %iv up to %0
; CODE-LABEL: define void @gradient(
; CODE: rev.for.i:
; CODE-NEXT: [[COUNTER:%.*]] = phi i64 [ [[NEXT:%.*]], %rev.for.i ], [ 0, %{{.*}} ]
; CODE: store double {{.*}}, ptr %at.shadow
; CODE: icmp eq i64 [[COUNTER]], %
; CODE: [[NEXT]] = add nuw nsw i64 [[COUNTER]], 1
; CODE: reverse.differences.exit:
; CODE-NEXT: [[BEHIND:%.*]] = getelementptr i8, ptr %at.shadow.i, i64 8
; CODE: store double {{.*}}, ptr [[BEHIND]]
define void @differences(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Rows of a rectangle: both loops.
; CHECK-LABEL: derivative plan for reverse(@rows
; CHECK: loop %for  counts up
; CHECK-NEXT: loop %row  counts up
define void @rows(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %row
row:
  %r = phi i64 [0, %entry], [%r.next, %done]
  %start = mul nuw nsw i64 %r, 100
  br label %for
for:
  %i = phi i64 [0, %row], [%next, %for]
  %number = add nuw nsw i64 %start, %i
  %at = getelementptr inbounds double, ptr %x, i64 %number
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %number
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 99
  br i1 %more, label %for, label %done
done:
  %r.next = add nuw nsw i64 %r, 1
  %go = icmp slt i64 %r.next, %n
  br i1 %go, label %row, label %exit
exit:
  ret void
}

; Rows that overlap: an element is stored twice, and only the last store has an adjoint. A row alone
; could count up; from the last row to the first this would be slower.
; CHECK-LABEL: derivative plan for reverse(@overlapping
; CHECK: carries the adjoints of %here +1 %right +0
; CHECK-NOT: counts up
define void @overlapping(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %row
row:
  %r = phi i64 [0, %entry], [%r.next, %done]
  %start = mul nuw nsw i64 %r, 98
  br label %for
for:
  %i = phi i64 [0, %row], [%next, %for]
  %number = add nuw nsw i64 %start, %i
  %at = getelementptr inbounds double, ptr %x, i64 %number
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %number
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 99
  br i1 %more, label %for, label %done
done:
  %r.next = add nuw nsw i64 %r, 1
  %go = icmp slt i64 %r.next, %n
  br i1 %go, label %row, label %exit
exit:
  ret void
}

; The second iteration of two stores to the same element as the first.
; CHECK-LABEL: derivative plan for reverse(@halves
; CHECK: carries the adjoints of %here +1 %right +0
; CHECK-NOT: counts up
define void @halves(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %half = lshr i64 %i, 1
  %to = getelementptr inbounds double, ptr %y, i64 %half
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; One iteration hands an adjoint to another one.
; CHECK-LABEL: derivative plan for reverse(@handed
; CHECK: carries the adjoints of %here +1 %right +0
; CHECK-NOT: counts up
define void @handed(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %state = phi double [1.0, %entry], [%product, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fadd double %here, %right
  %product = fmul double %state, %sum
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; The last iteration gets one from behind the loop.
; CHECK-LABEL: derivative plan for reverse(@last
; CHECK: carries the adjoints of %here +1 %right +0
; CHECK-NOT: counts up
define double @last(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %product
}

declare void @__enzyme_autodiff(...)
@enzyme_dup = external global i32
@enzyme_const = external global i32
define void @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  call void (...) @__enzyme_autodiff(ptr @differences, i32 %dup, ptr %x, ptr %dx, i32 %dup, ptr %y, ptr %dy, i32 %const, i64 %n)
  ret void
}
