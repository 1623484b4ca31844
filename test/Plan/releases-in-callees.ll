; A callee that moves nothing active and overwrites nothing, but releases memory, takes the shadow along.
; RUN: %opt %s -passes='print<isozyme-plan>' -disable-output 2>&1 | FileCheck %s

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
declare void @free(ptr) allockind("free") memory(inaccessiblemem: readwrite)

define void @release(ptr %block) noinline {
  %memory = load ptr, ptr %block
  call void @free(ptr %memory)
  ret void
}

define i1 @compare(ptr %block) noinline memory(argmem: read) {
  %memory = load ptr, ptr %block
  %none = icmp eq ptr %memory, null
  ret i1 %none
}

; CHECK-LABEL: derivative plan for forward(@callee:
; CHECK: @compare   inactive   nothing active goes through it
; CHECK: @release   differentiate
define double @callee(double %x, i64 %i) "isozyme-request"="forward(dup,const)->dup" {
  %block = alloca ptr
  %m = call ptr @malloc(i64 80)
  store ptr %m, ptr %block
  store double %x, ptr %m
  %none = call i1 @compare(ptr %block)
  %p = getelementptr double, ptr %m, i64 %i
  %a = load double, ptr %p
  call void @release(ptr %block)
  %b = select i1 %none, double 0.0, double %a
  %y = fmul double %b, %b
  ret double %y
}
