; A pointer to memory with and without a shadow cannot be mirrored: IZ204 names both.
; RUN: split-file %s %t
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/select.ll 2>&1 | FileCheck %t/select.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/stored.ll 2>&1 | FileCheck %t/stored.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/constant.ll 2>&1 | FileCheck %t/constant.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/table.ll 2>&1 | FileCheck %t/table.ll
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
@zeros = external constant [2 x double]
define double @f(ptr %a, i1 %c) "isozyme-request"="reverse(dup,const)->active" {
  %p = select i1 %c, ptr %a, ptr @zeros
  %v = load double, ptr %p
  ret double %v
}

;--- table.ll
; Where the address of the constant comes from has no shadow.
; CHECK: error: {{.*}}the constant '{{.*}}', and to 'a'{{.*}}[IZ204]
@row = constant [2 x double] zeroinitializer
@rows = constant [1 x ptr] [ptr @row]
define double @f(ptr %a, i1 %c, i64 %i) "isozyme-request"="reverse(dup,const,const)->active" {
  %at = getelementptr ptr, ptr @rows, i64 %i
  %r = load ptr, ptr %at
  %p = select i1 %c, ptr %a, ptr %r
  %v = load double, ptr %p
  ret double %v
}

;--- fine.ll
; Null has a null shadow, a constant table one of its own, and two const pointers may meet.
; CHECK: %p = select {{.*}} ; active
; CHECK: %q = select {{.*}} ; inactive
; CHECK: %t = select {{.*}} ; active
@known = constant [2 x double] zeroinitializer
define double @f(ptr %a, ptr %b, ptr %d, i1 %c) "isozyme-request"="reverse(dup,const,const,const)->active" {
  %p = select i1 %c, ptr %a, ptr null
  %q = select i1 %c, ptr %b, ptr %d
  %v = load double, ptr %p
  %w = load double, ptr %q
  %m = fmul double %v, %w
  %t = select i1 %c, ptr %a, ptr @known
  %u = load double, ptr %t
  %n = fmul double %m, %u
  ret double %n
}
