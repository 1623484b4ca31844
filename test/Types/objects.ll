; What is known of one object is not taken to be true of another that a pointer may lead to as well.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
%Record = type { double, i32, [3 x double] }

; The integer of the record is no part of the array, and the array's numbers are none of the record's.
; CHECK-LABEL: types of @either.prepared
; CHECK: %array -> every 8: {0..8 float double}
; CHECK: %record -> starts with {0..8 float double, 8..12 integer
; CHECK: copy of 8 bytes at %at.k: every 8: {0..4 integer, 4..8 anything}
define double @either(ptr %x, i32 %k, i64 %i, i1 %c) "isozyme-request"="reverse(dup,const,const,const)->active" {
  %array = alloca [4 x double]
  %record = alloca %Record
  %other = alloca %Record
  call void @llvm.memcpy.p0.p0.i64(ptr %array, ptr %x, i64 32, i1 false)
  %a1 = getelementptr double, ptr %array, i64 %i
  %v = load double, ptr %a1
  store double %v, ptr %record
  %at.k = getelementptr %Record, ptr %record, i32 0, i32 1
  store i32 %k, ptr %at.k
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %record, i64 16, i1 false)
  %inside = getelementptr i8, ptr %record, i64 16
  %p = select i1 %c, ptr %inside, ptr %array
  %place = getelementptr double, ptr %p, i64 %i
  %r = load double, ptr %place
  %o = load double, ptr %other
  %sum = fadd double %r, %o
  ret double %sum
}

; A pointer that comes from memory may lead to any of them: what is read there counts for both.
; CHECK-LABEL: types of @stored.prepared
; CHECK: %a -> every 8: {0..8 float double}
; CHECK: %b -> every 8: {0..8 float double}
define double @stored(ptr %x, i64 %i, i1 %c) "isozyme-request"="reverse(dup,const,const)->active" {
  %a = alloca [4 x i64]
  %b = alloca [4 x i64]
  %slot = alloca ptr
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %x, i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %x, i64 32, i1 false)
  %p = select i1 %c, ptr %a, ptr %b
  store ptr %p, ptr %slot
  %q = load ptr, ptr %slot
  %place = getelementptr double, ptr %q, i64 %i
  %r = load double, ptr %place
  ret double %r
}

; What a callee does with one of two objects is known of that one.
; CHECK-LABEL: types of @passed.prepared
; CHECK: %array -> every 8: {0..8 float double}
; CHECK: %counts -> every 16: {0..16 integer}
define internal void @count(ptr %n) noinline {
  %old = load i64, ptr %n
  %new = mul i64 %old, 3
  store i64 %new, ptr %n
  ret void
}
define double @passed(ptr %x, i64 %i, i1 %c) "isozyme-request"="reverse(dup,const,const)->active" {
  %array = alloca [2 x double]
  %counts = alloca [2 x i64]
  call void @llvm.memcpy.p0.p0.i64(ptr %array, ptr %x, i64 16, i1 false)
  %first = load double, ptr %array
  store i64 %i, ptr %counts
  call void @count(ptr %counts)
  %n = load i64, ptr %counts
  %p = select i1 %c, ptr %array, ptr %counts
  %differs = icmp eq ptr %p, null
  %f = sitofp i64 %n to double
  %v = fmul double %first, %f
  ret double %v
}
