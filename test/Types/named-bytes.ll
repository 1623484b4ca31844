; Bytes between the members of records and behind the last one hold nothing; nor do one to three bytes that have
; no others beside them hold a part of a float. What the source names may hold anything, and so may what it keeps free.
; RUN: %opt -passes='preserve-nvvm,print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='preserve-nvvm' -S %s | FileCheck --check-prefix=NOTES %s
; Simplified code names nothing: of that, nothing is known.
; RUN: sed 's/store ptr %r, ptr %r.addr/store ptr null, ptr %r.addr/' %s > %t.ll
; RUN: %opt -passes='preserve-nvvm' -S %t.ll | FileCheck --check-prefix=SIMPLIFIED %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%pair = type <{ double, i32, [4 x i8] }>
%held = type <{ double, i16, [6 x i8] }>
%view = type { ptr, [8 x i8], i64 }
%empty = type { i8 }
%lone = type { double, %empty, i64 }
%letters = type { double, i8, i8, i8, i32, i8, i8, i8, i8, i64 }
%named = type { double, i64, [8 x i8] }
%global = type { double, [4 x i8], float }

; NOTES-DAG: !{i32 8, !"isozyme-named-bytes", i32 1}
; NOTES-DAG: !{%named poison, i32 2}
; NOTES-DAG: !{%held poison, i32 2}
; NOTES-DAG: !{%global poison, i32 1}
; NOTES-NOT: poison
; SIMPLIFIED-NOT: isozyme-named-bytes

@variable = global %global zeroinitializer

; CHECK-LABEL: types of @f.prepared
; CHECK: copy of 16 bytes at %p: every 16: {0..8 float double, 8..16 integer}
; CHECK: copy of 24 bytes at %v: every 24: {0..8 pointer, 8..16 unknown, 16..24 integer}
; CHECK: copy of 24 bytes at %l: every 24: {0..8 float double, 8..9 integer, 9..16 anything, 16..24 integer}
; CHECK: copy of 24 bytes at %n: every 24: {0..8 float double, 8..16 integer, 16..24 unknown}
; CHECK: copy of 16 bytes at %g: every 16: {0..8 float double, 8..12 unknown, 12..16 float float}
define float @f(ptr %p, ptr %v, ptr %l, ptr %n, ptr %g, ptr %t1, ptr %t2, ptr %t3, ptr %t4, ptr %t5, ptr %out, i64 %k) "isozyme-request"="reverse(dup,dup,dup,dup,dup,dup,dup,dup,dup,dup,const,const)->const" {
  %k.addr = alloca i64
  store i64 %k, ptr %k.addr
  %to.pair = getelementptr inbounds %pair, ptr %p, i64 %k, i32 1
  %pair = load i32, ptr %to.pair
  store i32 %pair, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %t1, ptr %p, i64 16, i1 false)
  %to.view = getelementptr inbounds %view, ptr %v, i64 %k, i32 2
  %view = load i64, ptr %to.view
  store i64 %view, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %t2, ptr %v, i64 24, i1 false)
  %to.lone = getelementptr inbounds %lone, ptr %l, i64 %k, i32 2
  %lone = load i64, ptr %to.lone
  store i64 %lone, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %t3, ptr %l, i64 24, i1 false)
  %to.named = getelementptr inbounds %named, ptr %n, i64 %k, i32 1
  %named = load i64, ptr %to.named
  store i64 %named, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %t4, ptr %n, i64 24, i1 false)
  %to.global = getelementptr inbounds %global, ptr %g, i64 %k, i32 2
  %global.x = load float, ptr %to.global
  call void @llvm.memcpy.p0.p0.i64(ptr %t5, ptr %g, i64 16, i1 false)
  ret float %global.x
}
; CHECK-LABEL: types of @h.prepared
; CHECK: copy of 16 bytes at %p: every 16: {0..8 float double, 8..10 integer, 10..16 unknown}
define double @h(ptr %p, ptr %t, ptr %out, i64 %k) "isozyme-request"="reverse(dup,dup,const,const)->active" {
  %k.addr = alloca i64
  store i64 %k, ptr %k.addr
  %to.held = getelementptr inbounds %held, ptr %p, i64 %k, i32 1
  %held = load i16, ptr %to.held
  store i16 %held, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 16, i1 false)
  %x = load double, ptr %t
  ret double %x
}
define ptr @held.bytes(ptr %r) {
  %r.addr = alloca ptr
  store ptr %r, ptr %r.addr
  %b = getelementptr inbounds %held, ptr %r, i32 0, i32 2
  ret ptr %b
}
define ptr @bytes(ptr %r) {
  %r.addr = alloca ptr
  store ptr %r, ptr %r.addr
  %b = getelementptr inbounds %named, ptr %r, i32 0, i32 2
  ret ptr %b
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: types of @letters.prepared
; CHECK: copy of 32 bytes at %p: every 32: {0..8 float double, 8..11 integer, 11..12 anything, 12..16 integer, 16..20 unknown, 20..24 anything, 24..32 integer}
define double @letters(ptr %p, ptr %t, i64 %k) "isozyme-request"="reverse(dup,dup,const)->active" {
  %k.addr = alloca i64
  store i64 %k, ptr %k.addr
  %to = getelementptr inbounds %letters, ptr %p, i64 %k, i32 0
  %x = load double, ptr %to
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 32, i1 false)
  ret double %x
}
