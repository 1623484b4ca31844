; A function that only copies bytes is typed by its callers, if only calls use it.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @copy.prepared
; CHECK: %to -> every 8: {0..8 float double}
define internal void @copy(ptr %to, ptr %from, i64 %n) "isozyme-request"="augment(dup,dup,const)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}
define double @user(ptr %x, ptr %work, i64 %n) {
  call void @copy(ptr %work, ptr %x, i64 %n)
  %p = getelementptr double, ptr %work, i64 %n
  %v = load double, ptr %p
  ret double %v
}

; Callers that disagree say nothing.
; CHECK-LABEL: types of @generic.prepared
; CHECK: %to -> unknown
define internal void @generic(ptr %to, ptr %from, i64 %n) "isozyme-request"="augment(dup,dup,const)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}
define void @floats(ptr %x, ptr %y, i64 %n) {
  %p = getelementptr double, ptr %x, i64 %n
  store double 0.0, ptr %p
  call void @generic(ptr %y, ptr %x, i64 %n)
  ret void
}
define void @pointers(ptr %x, ptr %y, i64 %n) {
  %p = getelementptr ptr, ptr %x, i64 %n
  store ptr %x, ptr %p
  call void @generic(ptr %y, ptr %x, i64 %n)
  ret void
}

; Called through a pointer too: those calls are direct ones wherever a derivative is made of them.
; CHECK-LABEL: types of @shared.prepared
; CHECK: %to -> every 8: {0..8 float double}
@table = constant [1 x ptr] [ptr @shared]
define internal void @shared(ptr %to, ptr %from, i64 %n) "isozyme-request"="augment(dup,dup,const)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
}
define double @one(ptr %x, ptr %work, i64 %n) {
  call void @shared(ptr %work, ptr %x, i64 %n)
  %p = getelementptr double, ptr %work, i64 %n
  %v = load double, ptr %p
  ret double %v
}

; What a caller knows of objects that may lie otherwise is no reason to doubt what is read here.
; CHECK-LABEL: types of @reads.prepared
; CHECK: %from -> every 8: {0..8 float double}
; CHECK: %raw -> starts with {0..8 pointer, 8..16 float double}
define internal double @reads(ptr %to, ptr %from, ptr %raw, i64 %n) "isozyme-request"="augment(dup,dup,dup,const)->active" {
  %p = getelementptr double, ptr %from, i64 %n
  %v = load double, ptr %p
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  %raw2 = getelementptr i8, ptr %raw, i64 512
  call void @llvm.memcpy.p0.p0.i64(ptr %raw2, ptr %raw, i64 %n, i1 false)
  ret double %v
}
define double @displaced(ptr %x, ptr %y, ptr %to, i1 %either, i64 %n) {
  store ptr %to, ptr %y
  %second = getelementptr i8, ptr %y, i64 8
  %from = select i1 %either, ptr %x, ptr %second
  %v = call double @reads(ptr %to, ptr %from, ptr %y, i64 %n)
  ret double %v
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; Steps that may go back tell nothing of a single place that is copied: callers are asked.
; CHECK-LABEL: types of @aroundLists
; CHECK: copy of 16 bytes at %from: every 16: {0..16 float double}
%Pair = type { ptr, ptr }
define internal void @aroundLists(ptr %to, ptr %from, i64 %k) noinline "isozyme-request"="reverse(dup,dup,const)->const" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %lists = getelementptr i8, ptr %from, i64 32
  %at = getelementptr %Pair, ptr %lists, i64 %k
  %p = load ptr, ptr %at
  %copies = getelementptr i8, ptr %to, i64 32
  %copy = getelementptr %Pair, ptr %copies, i64 %k
  store ptr %p, ptr %copy
  store double 1.0, ptr %p
  ret void
}
define void @hasLists(double %x, i64 %k) {
  %from = alloca [64 x i8]
  %to = alloca [64 x i8]
  %second = getelementptr i8, ptr %from, i64 8
  store double %x, ptr %from
  store double %x, ptr %second
  %value = alloca double
  %lists = getelementptr i8, ptr %from, i64 32
  store ptr %value, ptr %lists
  call void @aroundLists(ptr %to, ptr %from, i64 %k)
  ret void
}
