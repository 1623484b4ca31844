; The type that LLVM has for a union is that of one member. Of integers there, callers may know that they are addresses.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

%union.any = type { { i64, i64 } }
%struct.callback = type { %union.any, ptr }

; CHECK-LABEL: types of @move.prepared
; CHECK: %from -> starts with {0..8 pointer, 8..16 integer}
define internal void @move(ptr %to, ptr %from) noinline "isozyme-request"="augment(dup,dup)->const" {
  %element = getelementptr %struct.callback, ptr %from, i64 0
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %element, i64 16, i1 false)
  ret void
}
define double @user(ptr %x) {
  %here = alloca %struct.callback
  %there = alloca %struct.callback
  store ptr %x, ptr %here
  call void @move(ptr %there, ptr %here)
  %p = load ptr, ptr %there
  %v = load double, ptr %p
  ret double %v
}
