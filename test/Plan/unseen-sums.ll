; Sums of the function itself are added up in any order where nobody sees how they were rounded.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-adjoint-order=source -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SOURCE
; SOURCE-NOT: in any order
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=CODE

declare double @llvm.fmuladd.f64(double, double, double)
declare double @exp(double)
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @look(double) "enzyme_inactive"

; The result is not asked for. A product is parted from its addition, so that LLVM sees a sum.
; CHECK-LABEL: derivative plan for reverse(@product
; CHECK: %next sum of 1, in any order (nobody sees how it is rounded)
; CODE-LABEL: define void @gradient(
; CODE: [[PRODUCT:%.*]] = fmul contract double
; CODE-NEXT: fadd reassoc contract double %sum{{.*}}, [[PRODUCT]]
define double @product(ptr %x, ptr %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %py = getelementptr inbounds double, ptr %y, i64 %i
  %vy = load double, ptr %py
  %next = call double @llvm.fmuladd.f64(double %vx, double %vy, double %sum)
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %e = call double @exp(double %next)
  ret double %e
}

; The caller gets the result.
; CHECK-LABEL: derivative plan for reverse(@asked
; CHECK-NOT: in any order
define double @asked(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active,primal" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %square = fmul double %next, %next
  ret double %square
}

; A comparison sees the sum.
; CHECK-LABEL: derivative plan for reverse(@compared
; CHECK-NOT: in any order
define double @compared(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %less = fcmp olt double %next, 1.0
  %two = fmul double %next, 2.0
  %r = select i1 %less, double %next, double %two
  ret double %r
}

; So does fabs, whose derivative jumps at zero.
; CHECK-LABEL: derivative plan for reverse(@chosen
; CHECK-NOT: in any order
define double @chosen(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %s = call double @llvm.sqrt.f64(double %next)
  %r = call double @llvm.fabs.f64(double %s)
  ret double %r
}

; So does a conversion to an integer.
; CHECK-LABEL: derivative plan for reverse(@counted
; CHECK-NOT: in any order
define double @counted(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %whole = fptosi double %next to i64
  %count = sitofp i64 %whole to double
  %r = fmul double %count, %next
  ret double %r
}

; So does a call.
; CHECK-LABEL: derivative plan for reverse(@shown
; CHECK-NOT: in any order
define double @shown(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  call void @look(double %next)
  ret double %next
}

; The loop itself looks at the sum.
; CHECK-LABEL: derivative plan for reverse(@inside
; CHECK-NOT: in any order
define double @inside(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %e = call double @exp(double %next)
  store double %e, ptr %px
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %next
}

; The caller gets what is stored.
; CHECK-LABEL: derivative plan for reverse(@written
; CHECK-NOT: in any order
define void @written(ptr %x, ptr %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %y
  ret void
}

; The caller does not want what is stored.
; CHECK-LABEL: derivative plan for reverse(@unasked
; CHECK: %next sum of 1, in any order
define double @unasked(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dupnoneed,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %y
  %again = load double, ptr %y
  %r = fmul double %again, %again
  ret double %r
}

; There, another pointer may lead, too.
; CHECK-LABEL: derivative plan for reverse(@met
; CHECK-NOT: in any order
define double @met(ptr %x, ptr %y, i64 %n) "isozyme-request"="reverse(dup,dupnoneed,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %y
  %again = load double, ptr %x
  %less = fcmp olt double %again, 1.0
  %place = getelementptr inbounds double, ptr %y, i64 %n
  %mine = load double, ptr %place
  %r = select i1 %less, double %again, double %mine
  ret double %r
}

; Memory that nobody else knows.
; CHECK-LABEL: derivative plan for reverse(@hidden
; CHECK: %next sum of 1, in any order
define double @hidden(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %local = alloca [2 x double]
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %at = getelementptr inbounds i8, ptr %local, i64 8
  store double %next, ptr %at
  %again = load double, ptr %at
  %r = fmul double %again, %again
  ret double %r
}

; What is read there may be the sum, and is compared.
; CHECK-LABEL: derivative plan for reverse(@hidden.compared
; CHECK-NOT: in any order
define double @hidden.compared(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %local = alloca [2 x double]
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %at = getelementptr inbounds i8, ptr %local, i64 8
  store double %next, ptr %at
  %place = getelementptr inbounds double, ptr %local, i64 %n
  %again = load double, ptr %place
  %less = fcmp olt double %again, 1.0
  %r = select i1 %less, double %again, double 1.0
  ret double %r
}

; It may be memory of the caller as well.
; CHECK-LABEL: derivative plan for reverse(@either
; CHECK-NOT: in any order
define double @either(ptr %x, ptr %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %local = alloca double
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %odd = trunc i64 %n to i1
  br i1 %odd, label %mine, label %store
mine:
  br label %store
store:
  %at = phi ptr [%y, %exit], [%local, %mine]
  store double %next, ptr %at
  %again = load double, ptr %at
  %e = call double @exp(double %again)
  ret double %e
}

; A vector that may be empty.
; CHECK-LABEL: derivative plan for reverse(@empty
; CHECK: %next sum of 1, in any order
define double @empty(ptr %x, i64 %n, i1 %any) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br i1 %any, label %allocate, label %begin
allocate:
  %block = call ptr @_Znwm(i64 8)
  br label %begin
begin:
  %local = phi ptr [null, %entry], [%block, %allocate]
  br label %for
for:
  %i = phi i64 [0, %begin], [%i.next, %for]
  %sum = phi double [0.0, %begin], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %local
  %place = getelementptr inbounds double, ptr %local, i64 %n
  %again = load double, ptr %place
  %e = call double @exp(double %again)
  call void @_ZdlPv(ptr %local)
  ret double %e
}
declare noalias ptr @_Znwm(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="_Znwm"
declare void @_ZdlPv(ptr allocptr) allockind("free") "alloc-family"="_Znwm"

; Its bits are read there.
; CHECK-LABEL: derivative plan for reverse(@bits
; CHECK-NOT: in any order
define double @bits(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %local = alloca double
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %local
  %word = load i64, ptr %local
  %low = and i64 %word, 1
  %bit = sitofp i64 %low to double
  %r = fadd double %bit, %next
  ret double %r
}

; A copy of it is as hidden.
; CHECK-LABEL: derivative plan for reverse(@copied
; CHECK: %next sum of 1, in any order
define double @copied(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %local = alloca double
  %other = alloca double
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %local
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %local, i64 8, i1 false)
  %again = load double, ptr %other
  %r = fmul double %again, %again
  ret double %r
}

; The copy is compared.
; CHECK-LABEL: derivative plan for reverse(@copied.compared
; CHECK-NOT: in any order
define double @copied.compared(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %local = alloca double
  %other = alloca double
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %local
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %local, i64 8, i1 false)
  %again = load double, ptr %other
  %less = fcmp olt double %again, 1.0
  %r = select i1 %less, double %again, double 1.0
  ret double %r
}

; The copy goes to the caller.
; CHECK-LABEL: derivative plan for reverse(@copied.out
; CHECK-NOT: in any order
define void @copied.out(ptr %x, ptr %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  %local = alloca double
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  store double %next, ptr %local
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %local, i64 8, i1 false)
  ret void
}

; Kahan's sum looks at what each addition has lost.
; CHECK-LABEL: derivative plan for reverse(@compensated
; CHECK-NOT: in any order
define double @compensated(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %lost = phi double [0.0, %entry], [%lost.next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %term = fsub double %vx, %lost
  %next = fadd double %sum, %term
  %grown = fsub double %next, %sum
  %lost.next = fsub double %grown, %term
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %next
}

; A loop that was unrolled.
; CHECK-LABEL: derivative plan for reverse(@row
; CHECK: %s8 sum of 8, in any order
define double @row(ptr %x) "isozyme-request"="reverse(dup)->active" {
  %p0 = getelementptr inbounds i8, ptr %x, i64 0
  %v0 = load double, ptr %p0
  %p1 = getelementptr inbounds i8, ptr %x, i64 8
  %v1 = load double, ptr %p1
  %p2 = getelementptr inbounds i8, ptr %x, i64 16
  %v2 = load double, ptr %p2
  %p3 = getelementptr inbounds i8, ptr %x, i64 24
  %v3 = load double, ptr %p3
  %p4 = getelementptr inbounds i8, ptr %x, i64 32
  %v4 = load double, ptr %p4
  %p5 = getelementptr inbounds i8, ptr %x, i64 40
  %v5 = load double, ptr %p5
  %p6 = getelementptr inbounds i8, ptr %x, i64 48
  %v6 = load double, ptr %p6
  %p7 = getelementptr inbounds i8, ptr %x, i64 56
  %v7 = load double, ptr %p7
  %p8 = getelementptr inbounds i8, ptr %x, i64 64
  %v8 = load double, ptr %p8
  %s1 = fadd double %v0, %v1
  %s2 = fadd double %s1, %v2
  %s3 = fadd double %s2, %v3
  %s4 = fadd double %s3, %v4
  %s5 = fadd double %s4, %v5
  %s6 = fadd double %s5, %v6
  %s7 = fadd double %s6, %v7
  %s8 = fadd double %s7, %v8
  %e = call double @exp(double %s8)
  ret double %e
}

; Few additions may be those of a number in parts.
; CHECK-LABEL: derivative plan for reverse(@parts
; CHECK-NOT: in any order
define double @parts(ptr %x) "isozyme-request"="reverse(dup)->active" {
  %p0 = getelementptr inbounds i8, ptr %x, i64 0
  %v0 = load double, ptr %p0
  %p1 = getelementptr inbounds i8, ptr %x, i64 8
  %v1 = load double, ptr %p1
  %p2 = getelementptr inbounds i8, ptr %x, i64 16
  %v2 = load double, ptr %p2
  %p3 = getelementptr inbounds i8, ptr %x, i64 24
  %v3 = load double, ptr %p3
  %p4 = getelementptr inbounds i8, ptr %x, i64 32
  %v4 = load double, ptr %p4
  %p5 = getelementptr inbounds i8, ptr %x, i64 40
  %v5 = load double, ptr %p5
  %p6 = getelementptr inbounds i8, ptr %x, i64 48
  %v6 = load double, ptr %p6
  %p7 = getelementptr inbounds i8, ptr %x, i64 56
  %v7 = load double, ptr %p7
  %s1 = fadd double %v0, %v1
  %s2 = fadd double %s1, %v2
  %s3 = fadd double %s2, %v3
  %s4 = fadd double %s3, %v4
  %s5 = fadd double %s4, %v5
  %s6 = fadd double %s5, %v6
  %s7 = fadd double %s6, %v7
  %e = call double @exp(double %s7)
  ret double %e
}

; What only leads to the result is left out of the derivative.
; CHECK-LABEL: derivative plan for reverse(@left
; CHECK-NOT: in any order
define double @left(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %sum = phi double [0.0, %entry], [%next, %for]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px
  %next = fadd double %sum, %vx
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %for, label %exit
exit:
  %half = fmul double %next, 0.5
  ret double %half
}

declare double @__enzyme_autodiff(...)
@enzyme_dup = external global i32
@enzyme_const = external global i32
define void @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i32, ptr @enzyme_const
  %ignored = call double (...) @__enzyme_autodiff(ptr @product, i32 %dup, ptr %x, ptr %dx, i32 %dup, ptr %y, ptr %dy, i32 %const, i64 %n)
  ret void
}
