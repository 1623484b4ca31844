; A pointer to memory with and without a shadow cannot be mirrored: IZ204 names both.
; RUN: split-file %s %t
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/select.ll 2>&1 | FileCheck %t/select.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/stored.ll 2>&1 | FileCheck %t/stored.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/constant.ll 2>&1 | FileCheck %t/constant.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/fine.ll 2>&1 | FileCheck %t/fine.ll

;--- select.ll
; CHECK: error: {{.*}}one pointer may point to 'b', which is marked enzyme_const, and to 'a', which holds differentiated data; pass 'b' as enzyme_dup with a shadow filled with zeros [IZ204]
define double @f(ptr %a, ptr %b, i1 %c) "isozyme-request"="reverse(dup,const,const)->active" {
  %p = select i1 %c, ptr %a, ptr %b
  %v = load double, ptr %p
  ret double %v
}

;--- stored.ll
; CHECK: error: {{.*}}'table', which is marked enzyme_const, and to memory that has a shadow{{.*}}[IZ204]
define double @f(ptr %s, ptr %table) "isozyme-request"="reverse(dup,const)->active" {
  store ptr %table, ptr %s
  %p = load volatile ptr, ptr %s
  %v = load double, ptr %p
  ret double %v
}

;--- constant.ll
; CHECK: error: {{.*}}the constant 'zeros', and to 'a'{{.*}}use a copy of the constant in a local variable [IZ204]
@zeros = constant [2 x double] zeroinitializer
define double @f(ptr %a, i1 %c) "isozyme-request"="reverse(dup,const)->active" {
  %p = select i1 %c, ptr %a, ptr @zeros
  %v = load double, ptr %p
  ret double %v
}

;--- fine.ll
; Null has a null shadow, and two const pointers may meet.
; CHECK: %p = select {{.*}} ; active
; CHECK: %q = select {{.*}} ; inactive
define double @f(ptr %a, ptr %b, ptr %d, i1 %c) "isozyme-request"="reverse(dup,const,const,const)->active" {
  %p = select i1 %c, ptr %a, ptr null
  %q = select i1 %c, ptr %b, ptr %d
  %v = load double, ptr %p
  %w = load double, ptr %q
  %m = fmul double %v, %w
  ret double %m
}
