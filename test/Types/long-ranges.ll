; What is known of every element is known of a long array, but for the places of which more is
; known. That takes no longer than for a short one.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @copied
; CHECK: copy of 16000000 bytes at %x: every 16000000: {0..4088 float double, 4088..4096 pointer, 4096..8000008 float double, 8000008..8000012 unknown, 8000012..8000016 integer, 8000016..16000000 float double}
define double @copied(ptr %x, ptr %to, i64 %i) "isozyme-request"="reverse(dup,dup,const)->active" {
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %p = getelementptr i8, ptr %x, i64 4088
  %q = load ptr, ptr %p
  %w = load double, ptr %q
  %c = getelementptr i8, ptr %x, i64 8000012
  %k = load i32, ptr %c
  %m = sitofp i32 %k to double
  %s = fmul double %v, %w
  %r = fmul double %s, %m
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 16000000, i1 false)
  ret double %r
}

; The first and the last element are cut off.
; CHECK-LABEL: types of @cut
; CHECK: copy of 4096 bytes at %inside: every 4096: {0..4 unknown, 4..4092 float double, 4092..4096 unknown}
define double @cut(ptr %x, ptr %to, i64 %i) "isozyme-request"="reverse(dup,dup,const)->active" {
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %inside = getelementptr i8, ptr %x, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %inside, i64 4096, i1 false)
  ret double %v
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
