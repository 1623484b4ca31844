; The plan says whether memory that the primal frees, here or in callees, is released at the end.
; RUN: %opt %s -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s
; RUN: %opt %s -passes='print<isozyme-plan>' -disable-output 2>&1 | grep -c 'released after the reverse sweep' | FileCheck %s --check-prefix=TWICE
; TWICE: 2

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @free(ptr) allockind("free")

; CHECK-LABEL: derivative plan for reverse(@here:
; CHECK: memory freed here or in callees is released after the reverse sweep
define double @here(double %x, i64 %i) "isozyme-request"="reverse(out,const)->active" {
  %m = call ptr @malloc(i64 80)
  store double %x, ptr %m
  %p = getelementptr double, ptr %m, i64 %i
  store double %x, ptr %p
  %a = load double, ptr %m
  call void @free(ptr %m)
  %y = fmul double %a, %a
  ret double %y
}

; CHECK-LABEL: derivative plan for reverse(@callee:
; CHECK: memory freed here or in callees is released after the reverse sweep
define double @callee(double %x) "isozyme-request"="reverse(out)->active" {
  %y = call double @here(double %x, i64 3)
  ret double %y
}

; CHECK-LABEL: derivative plan for reverse(@kept:
define double @kept(ptr %m) "isozyme-request"="reverse(dup)->active" {
  %a = load double, ptr %m
  %y = fmul double %a, %a
  ret double %y
}
