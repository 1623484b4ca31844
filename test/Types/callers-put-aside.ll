; The body of a caller that has been put aside, for calls through pointers are direct in its copy, tells nothing: there,
; all memory that the unknown function gets is one.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

@table = global ptr @look

define void @look(ptr %numbers, ptr %addresses) {
  %x = load double, ptr %numbers
  store double %x, ptr %numbers
  %p = load ptr, ptr %addresses
  store ptr %addresses, ptr %p
  ret void
}

; CHECK-LABEL: types of @move.prepared
; CHECK: %v: float double
define void @move(ptr %to, ptr %from) noinline "isozyme-request"="reverse(dup,dup)->const" {
  %v = load i64, ptr %from
  store i64 %v, ptr %to
  ret void
}
define void @caller(ptr %to, ptr %numbers) "isozyme-request"="reverse(dup,dup)->const" {
  %addresses = alloca ptr
  store ptr %addresses, ptr %addresses
  %f = load ptr, ptr @table
  call void %f(ptr %numbers, ptr %addresses)
  call void @move(ptr %to, ptr %numbers)
  ret void
}
