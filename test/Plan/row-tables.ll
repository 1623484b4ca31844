; Addresses in a table are given to the version for memory that is apart as row 0 and what lies between
; the end of a row and the next one. The table is read before the function runs, only where the function reads both of its ends.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-verify-each -S %s | FileCheck %s --check-prefix=CODE
; RUN: %opt -passes='autodiff' -isozyme-verify-each -S %s | FileCheck %s --check-prefix=LEFT
; LEFT-NOT: define {{.*}}.rows

; CHECK-LABEL: derivative plan for reverse(@squares:
; CHECK: two versions: with 0 bytes of tape where memory is apart, else [[#]]; bytes are compared of
; CHECK-NEXT: %in has even rows every 8 bytes from 0 up to (8 * %n), of %n times 8 bytes or more, with its shadow
; CHECK-NEXT: %out has even rows every 8 bytes from 0 up to (8 * %n), of %n times 8 bytes or more, with its shadow
; CHECK-NEXT: if %n sgt 0
; CHECK-NEXT: %in.rows from 0 up to ((8 * %n) + (8 * (-1 + %n) * (%n + %in.gap)))
; CHECK-NEXT: %out.rows from 0 up to ((8 * %n) + (8 * (-1 + %n) * (%n + %out.gap)))  (written)
; CHECK: pairs: %in.rows-%out.rows %out.rows-table(%in) %out.rows-table(%out)
; CHECK-NEXT: derivative plan for reverse(@squares.rows.apart: dup ptr, dup ptr, const i64, dup ptr, const i64, dup ptr, const i64)
; CHECK: %v primal {{.*}}reload
define double @squares(ptr %in, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %outer, label %exit
outer:
  %i = phi i64 [0, %entry], [%i.next, %latch]
  %before = phi double [0.0, %entry], [%more, %latch]
  %in.at = getelementptr inbounds ptr, ptr %in, i64 %i
  %in.row = load ptr, ptr %in.at
  %out.at = getelementptr inbounds ptr, ptr %out, i64 %i
  %out.row = load ptr, ptr %out.at
  br label %inner
inner:
  %j = phi i64 [0, %outer], [%j.next, %inner]
  %sum = phi double [%before, %outer], [%more, %inner]
  %p = getelementptr inbounds double, ptr %in.row, i64 %j
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out.row, i64 %j
  store double %w, ptr %q
  %t = fmul double %w, %v
  %more = fadd double %sum, %t
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %n
  br i1 %j.again, label %inner, label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %outer, label %exit
exit:
  %result = phi double [0.0, %entry], [%more, %latch]
  ret double %result
}

; Rows do not overlap, so what is written to the next one does not change what was read.
; CHECK-LABEL: derivative plan for reverse(@next:
; CHECK: two versions: with 0 bytes of tape
; CHECK-NEXT: %m has even rows every 8 bytes from 0 up to (8 + (8 * %n)), of %n times 8 bytes or more, with its shadow
; CHECK: derivative plan for reverse(@next.rows.apart:
; CHECK: %v primal {{.*}}reload
define double @next(ptr %m, ptr %log, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %outer, label %exit
outer:
  %i = phi i64 [0, %entry], [%i.next, %latch]
  %before = phi double [0.0, %entry], [%more, %latch]
  %i.next = add nuw nsw i64 %i, 1
  %from.at = getelementptr inbounds ptr, ptr %m, i64 %i
  %from = load ptr, ptr %from.at
  %to.at = getelementptr inbounds ptr, ptr %m, i64 %i.next
  %to = load ptr, ptr %to.at
  br label %inner
inner:
  %j = phi i64 [0, %outer], [%j.next, %inner]
  %sum = phi double [%before, %outer], [%more, %inner]
  %p = getelementptr inbounds double, ptr %from, i64 %j
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %to, i64 %j
  store double %w, ptr %q
  %t = fmul double %w, %v
  %more = fadd double %sum, %t
  store double %more, ptr %log
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %n
  br i1 %j.again, label %inner, label %latch
latch:
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %outer, label %exit
exit:
  %result = phi double [0.0, %entry], [%more, %latch]
  ret double %result
}

; A number in memory decides whether the row is looked up: nobody knows whether it is there.
; CHECK-LABEL: derivative plan for reverse(@maybe:
; CHECK: one version: %v: it is not known which memory this is
define double @maybe(ptr %in, ptr %flags, ptr %out, i64 %n) "isozyme-request"="reverse(dup,const,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %latch]
  %sum = phi double [0.0, %entry], [%more, %latch]
  %flag.at = getelementptr inbounds i8, ptr %flags, i64 %i
  %flag = load i8, ptr %flag.at
  %is = icmp ne i8 %flag, 0
  br i1 %is, label %some, label %latch
some:
  %in.at = getelementptr inbounds ptr, ptr %in, i64 %i
  %in.row = load ptr, ptr %in.at
  %v = load double, ptr %in.row
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %u = fmul double %w, %v
  br label %latch
latch:
  %t = phi double [0.0, %for], [%u, %some]
  %more = fadd double %sum, %t
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; The other reads know that the row is there.
; CHECK-LABEL: derivative plan for reverse(@inside:
; CHECK: two versions:
; CHECK-NEXT: %in has even rows every 8 bytes from 0 up to (8 * (1 smax %n)), of 2 times 8 bytes or more, with its shadow
define double @inside(ptr %in, ptr %flags, ptr %out, i64 %n) "isozyme-request"="reverse(dup,const,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %latch]
  %sum = phi double [0.0, %entry], [%more, %latch]
  %in.at = getelementptr inbounds ptr, ptr %in, i64 %i
  %in.row = load ptr, ptr %in.at
  %v = load double, ptr %in.row
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %flag.at = getelementptr inbounds i8, ptr %flags, i64 %i
  %flag = load i8, ptr %flag.at
  %is = icmp ne i8 %flag, 0
  br i1 %is, label %some, label %latch
some:
  %row.again = load ptr, ptr %in.at
  %one = getelementptr inbounds double, ptr %row.again, i64 1
  %v1 = load double, ptr %one
  %u = fmul double %v1, %v
  br label %latch
latch:
  %t = phi double [0.0, %for], [%u, %some]
  %more = fadd double %sum, %t
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; There is no row in front of the first one.
; CHECK-LABEL: derivative plan for reverse(@edge:
; CHECK: one version: %v: it is not known which memory this is
define double @edge(ptr %in, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %latch]
  %sum = phi double [0.0, %entry], [%more, %latch]
  %is = icmp ne i64 %i, 0
  br i1 %is, label %some, label %latch
some:
  %place = getelementptr inbounds ptr, ptr %in, i64 %i
  %in.at = getelementptr inbounds i8, ptr %place, i64 -8
  %in.row = load ptr, ptr %in.at
  %v = load double, ptr %in.row
  %w = fmul double %v, %v
  %q = getelementptr inbounds double, ptr %out, i64 %i
  store double %w, ptr %q
  %u = fmul double %w, %v
  br label %latch
latch:
  %t = phi double [0.0, %for], [%u, %some]
  %more = fadd double %sum, %t
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; The table is written to.
; CHECK-LABEL: derivative plan for reverse(@turned:
; CHECK: one version: %v: it is not known which memory this is
define double @turned(ptr %in, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %sum = phi double [0.0, %entry], [%more, %for]
  %in.at = getelementptr inbounds ptr, ptr %in, i64 %i
  %in.row = load ptr, ptr %in.at
  %v = load double, ptr %in.row
  %on = getelementptr inbounds double, ptr %in.row, i64 1
  store ptr %on, ptr %in.at
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

; CODE-LABEL: define internal void @reverse.squares(
; CODE: br i1 %{{.*}}, label %are.read, label %any.memory
; CODE: are.read:
; CODE: br i1 %{{.*}}, label %table, label %any.memory
; CODE: row:
; CODE: br i1 %{{.*}}, label %row, label %rows.read
; CODE: rows.read:
; CODE: br i1 %{{.*}}, label %rows.even, label %any.memory
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_dup = external global i32
define void @gradient(ptr %in, ptr %din, ptr %out, ptr %dout, i64 %n) {
  %dup = load i32, ptr @enzyme_dup
  call void (ptr, ...) @__enzyme_autodiff(ptr @squares, i32 %dup, ptr %in, ptr %din, i32 %dup, ptr %out, ptr %dout, i64 %n)
  ret void
}
