; A store of an integer 0 into several members: the adjoint of the float ends there; the other bytes are an integer, or
; nobody reads them. Both stores reach the shadow.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@beside
; CHECK: %s shadow  for store  available
; CHECK-NEXT: %at shadow  for store  available
define double @beside(double %x, i32 %n, ptr %s) "isozyme-request"="reverse(active,const,dup)->active" {
  store i64 0, ptr %s
  %at = getelementptr i8, ptr %s, i64 4
  %none = icmp eq i32 %n, 0
  br i1 %none, label %read, label %write
write:
  store i32 %n, ptr %s
  %short = fptrunc double %x to float
  store float %short, ptr %at
  br label %read
read:
  %f = load float, ptr %at
  %i = load i32, ptr %s
  %i.f = sitofp i32 %i to float
  %y = fmul float %f, %i.f
  %long = fpext float %y to double
  ret double %long
}
