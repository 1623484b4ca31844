; A product of matrices, a row by a column: the reverse of the inner loop would go down the columns
; of b and of its shadow. It is reversed around the loop that goes along them.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-versions=false -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-adjoint-order=source -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SOURCE
; SOURCE-NOT: is reversed around

; CHECK-LABEL: derivative plan for reverse(@product
; CHECK: loop %k.for  is reversed around the reverse of loop %j.for  (which goes along rows)
define void @product(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
entry:
  br label %j.for
j.for:
  %j = phi i64 [0, %entry], [%j.next, %j.end]
  %column = getelementptr inbounds double, ptr %b, i64 %j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %s = phi double [0.0, %j.for], [%sum, %k.for]
  %at.a = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %at.a
  %row = mul nuw nsw i64 %k, %n
  %at.b = getelementptr inbounds double, ptr %column, i64 %row
  %y = load double, ptr %at.b
  %sum = call double @llvm.fmuladd.f64(double %x, double %y, double %s)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %k.for, label %j.end
j.end:
  %at.c = getelementptr inbounds double, ptr %c, i64 %j
  store double %sum, ptr %at.c
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.for, label %exit
exit:
  ret void
}

; With its transpose, both loops go along rows.
; CHECK-LABEL: derivative plan for reverse(@rows
; CHECK-NOT: is reversed around
define void @rows(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
entry:
  br label %j.for
j.for:
  %j = phi i64 [0, %entry], [%j.next, %j.end]
  %start = mul nuw nsw i64 %j, %n
  %row = getelementptr inbounds double, ptr %b, i64 %start
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %s = phi double [0.0, %j.for], [%sum, %k.for]
  %at.a = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %at.a
  %at.b = getelementptr inbounds double, ptr %row, i64 %k
  %y = load double, ptr %at.b
  %sum = call double @llvm.fmuladd.f64(double %x, double %y, double %s)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %k.for, label %j.end
j.end:
  %at.c = getelementptr inbounds double, ptr %c, i64 %j
  store double %sum, ptr %at.c
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.for, label %exit
exit:
  ret void
}

; The result may overlap what is read: its adjoint is taken and added to.
; CHECK-LABEL: derivative plan for reverse(@mayoverlap
; CHECK-NOT: is reversed around
define void @mayoverlap(ptr %a, ptr %b, ptr %c, i64 %n) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
entry:
  br label %j.for
j.for:
  %j = phi i64 [0, %entry], [%j.next, %j.end]
  %column = getelementptr inbounds double, ptr %b, i64 %j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %s = phi double [0.0, %j.for], [%sum, %k.for]
  %at.a = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %at.a
  %row = mul nuw nsw i64 %k, %n
  %at.b = getelementptr inbounds double, ptr %column, i64 %row
  %y = load double, ptr %at.b
  %sum = call double @llvm.fmuladd.f64(double %x, double %y, double %s)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %k.for, label %j.end
j.end:
  %at.c = getelementptr inbounds double, ptr %c, i64 %j
  store double %sum, ptr %at.c
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.for, label %exit
exit:
  ret void
}

; A triangle: the inner loop ends where the outer one is.
; CHECK-LABEL: derivative plan for reverse(@triangle
; CHECK-NOT: is reversed around
define void @triangle(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
entry:
  br label %j.for
j.for:
  %j = phi i64 [0, %entry], [%j.next, %j.end]
  %column = getelementptr inbounds double, ptr %b, i64 %j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %s = phi double [0.0, %j.for], [%sum, %k.for]
  %at.a = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %at.a
  %row = mul nuw nsw i64 %k, %n
  %at.b = getelementptr inbounds double, ptr %column, i64 %row
  %y = load double, ptr %at.b
  %sum = call double @llvm.fmuladd.f64(double %x, double %y, double %s)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp sle i64 %k.next, %j
  br i1 %k.more, label %k.for, label %j.end
j.end:
  %at.c = getelementptr inbounds double, ptr %c, i64 %j
  store double %sum, ptr %at.c
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.for, label %exit
exit:
  ret void
}

; What the sum begins with is added to once in each iteration of the outer loop, not of both.
; CHECK-LABEL: derivative plan for reverse(@begun
; CHECK-NOT: is reversed around
define void @begun(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
entry:
  br label %j.for
j.for:
  %j = phi i64 [0, %entry], [%j.next, %j.end]
  %column = getelementptr inbounds double, ptr %b, i64 %j
  %first = load double, ptr %column
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %s = phi double [%first, %j.for], [%sum, %k.for]
  %at.a = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %at.a
  %row = mul nuw nsw i64 %k, %n
  %at.b = getelementptr inbounds double, ptr %column, i64 %row
  %y = load double, ptr %at.b
  %sum = call double @llvm.fmuladd.f64(double %x, double %y, double %s)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %k.for, label %j.end
j.end:
  %at.c = getelementptr inbounds double, ptr %c, i64 %j
  store double %sum, ptr %at.c
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.for, label %exit
exit:
  ret void
}

; Horner's scheme: each iteration hands another adjoint on.
; CHECK-LABEL: derivative plan for reverse(@horner
; CHECK-NOT: is reversed around
define void @horner(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) "isozyme-request"="reverse(dup,dup,dup,const)->const" {
entry:
  br label %j.for
j.for:
  %j = phi i64 [0, %entry], [%j.next, %j.end]
  %column = getelementptr inbounds double, ptr %b, i64 %j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %s = phi double [0.0, %j.for], [%sum, %k.for]
  %at.a = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %at.a
  %row = mul nuw nsw i64 %k, %n
  %at.b = getelementptr inbounds double, ptr %column, i64 %row
  %y = load double, ptr %at.b
  %sum = call double @llvm.fmuladd.f64(double %x, double %s, double %y)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %k.for, label %j.end
j.end:
  %at.c = getelementptr inbounds double, ptr %c, i64 %j
  store double %sum, ptr %at.c
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.for, label %exit
exit:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
