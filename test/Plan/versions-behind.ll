; Addresses and counts that are read before all else are given to the version for memory that is
; apart. The bytes of these words are compared with what is written, too.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-verify-each -S %s | FileCheck %s --check-prefix=CODE
; RUN: %opt -passes='autodiff' -isozyme-verify-each -S %s | FileCheck %s --check-prefix=LEFT
; LEFT-NOT: define {{.*}}.given

%arrays = type { i64, ptr, ptr }

; CHECK-LABEL: derivative plan for reverse(@squares:
; CHECK: two versions: with 0 bytes of tape where memory is apart, else [[#]]; bytes are compared of
; CHECK-NEXT: %s.0 is the i64 at byte 0 of %s
; CHECK-NEXT: %s.8 is the ptr at byte 8 of %s, with its shadow
; CHECK-NEXT: %s.16 is the ptr at byte 16 of %s, with its shadow
; CHECK-NEXT: %s.8 from 0 up to (8 * (1 smax %s.0))
; CHECK-NEXT: %s.16 from 8 up to (8 + (8 * (1 smax %s.0)))
; CHECK-SAME: (written)
; CHECK-NEXT: pairs: %s.8-%s.16 %s.16-0..24(%s)
; CHECK-NEXT: derivative plan for reverse(@squares.given.apart: dup ptr, const i64, dup ptr, dup ptr)
; CHECK: %v primal {{.*}}reload
define double @squares(ptr %s) "isozyme-request"="reverse(dup)->active" {
entry:
  %n = load i64, ptr %s
  %in.at = getelementptr inbounds %arrays, ptr %s, i64 0, i32 1
  %in = load ptr, ptr %in.at
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %sum = phi double [0.0, %entry], [%more, %for]
  %p = getelementptr inbounds double, ptr %in, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %next = add nuw nsw i64 %i, 1
  %out.at = getelementptr inbounds %arrays, ptr %s, i64 0, i32 2
  %out = load ptr, ptr %out.at, !tbaa !0
  %q = getelementptr inbounds double, ptr %out, i64 %next
  store double %w, ptr %q
  %t = fmul double %w, %v
  %more = fadd double %sum, %t
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; The address of `in` is not read where there are no elements: that is looked at first.
; CHECK-LABEL: derivative plan for reverse(@maybe:
; CHECK: two versions:
; CHECK-NEXT: %s has an address from 0 up to 8, with its shadow
; CHECK-NEXT: if %n sgt 0
; CHECK-NEXT: %s.0 from 0 up to (8 * %n)
define double @maybe(ptr %s, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %some, label %exit
some:
  %in = load ptr, ptr %s
  br label %for
for:
  %i = phi i64 [0, %some], [%next, %for]
  %sum = phi double [0.0, %some], [%more, %for]
  %p = getelementptr inbounds double, ptr %in, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %t = fmul double %w, %v
  %more = fadd double %sum, %t
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  %result = phi double [0.0, %entry], [%more, %for]
  ret double %result
}

; It is a member of a structure whose count is read in any case: the same, but for that.
; CHECK-LABEL: derivative plan for reverse(@beside:
; CHECK: two versions:
; CHECK-NEXT: %s.0 is the i64 at byte 0 of %s
; CHECK-NEXT: %s.8 is the ptr at byte 8 of %s, with its shadow
define double @beside(ptr %s, ptr %out) "isozyme-request"="reverse(dup,dup)->active" {
entry:
  %n = load i64, ptr %s, !tbaa !6
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %some, label %exit
some:
  %in.at = getelementptr inbounds %arrays, ptr %s, i64 0, i32 1
  %in = load ptr, ptr %in.at, !tbaa !7
  br label %for
for:
  %i = phi i64 [0, %some], [%next, %for]
  %sum = phi double [0.0, %some], [%more, %for]
  %p = getelementptr inbounds double, ptr %in, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %t = fmul double %w, %v
  %more = fadd double %sum, %t
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  %result = phi double [0.0, %entry], [%more, %for]
  ret double %result
}

; The address is moved on in memory.
; CHECK-LABEL: derivative plan for reverse(@moved:
; CHECK: one version: it writes at %s, where it reads an address or a count
define double @moved(ptr %s, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %sum = phi double [0.0, %entry], [%more, %for]
  %in = load ptr, ptr %s
  %v = load double, ptr %in
  %on = getelementptr inbounds double, ptr %in, i64 1
  store ptr %on, ptr %s
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %t = fmul double %w, %v
  %more = fadd double %sum, %t
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; The address is in memory whose address is in memory.
; CHECK-LABEL: derivative plan for reverse(@nested:
; CHECK: two versions:
; CHECK-NEXT: %box.0 is the ptr at byte 0 of %box, with its shadow
; CHECK-NEXT: %box.0.8 is the ptr at byte 8 of %box.0, with its shadow
define double @nested(ptr %box, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %s = load ptr, ptr %box
  %in.at = getelementptr inbounds %arrays, ptr %s, i64 0, i32 1
  %in = load ptr, ptr %in.at
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %sum = phi double [0.0, %entry], [%more, %for]
  %p = getelementptr inbounds double, ptr %in, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %t = fmul double %w, %v
  %more = fadd double %sum, %t
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; The words are read in front of the comparison, of the structure and of its shadow.
; CODE-LABEL: define internal void @reverse.squares(ptr %0, ptr %1, double %2)
; CODE: load i64, ptr %0, align 1
; CODE: load ptr, ptr {{.*}}, align 1
; CODE: %apart = freeze i1
; CODE: call {{.*}} @reverse.squares.apart(ptr %0, ptr %1, i64 {{.*}}, ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, double %2)
; CODE: call {{.*}} @reverse.squares.any(ptr %0, ptr %1, double %2)
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_dup = external global i32
define void @gradient(ptr %s, ptr %ds) {
  %dup = load i32, ptr @enzyme_dup
  call void (ptr, ...) @__enzyme_autodiff(ptr @squares, i32 %dup, ptr %s, ptr %ds)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"any pointer", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!"long", !2, i64 0}
!5 = !{!"arrays", !4, i64 0, !1, i64 8, !1, i64 16}
!6 = !{!5, !4, i64 0}
!7 = !{!5, !1, i64 8}
