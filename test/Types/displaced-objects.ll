; Where a pointer leads into the middle of one object or to the start of another, these lie on each
; other there, and not byte 0 on byte 0: each keeps what it has before and behind.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; A hash table, as that of libstdc++: at byte 0 an array of buckets, which may be the single one at
; byte 32, at 16 the first of the nodes, to which buckets lead, too.
; CHECK-LABEL: types of @table.prepared
; CHECK: %t -> starts with {0..8 pointer, 8..16 integer}
; CHECK: %buckets -> every 8: {0..8 pointer}
; CHECK: %node -> starts with {0..8 pointer, 8..16 float double}
; CHECK: %value -> starts with {0..8 float double
define double @table(ptr %t, i64 %hash) "isozyme-request"="reverse(dup,const)->active" {
  %single = getelementptr inbounds nuw i8, ptr %t, i64 32
  %first = getelementptr inbounds nuw i8, ptr %t, i64 16
  store ptr %single, ptr %t
  %size = getelementptr inbounds nuw i8, ptr %t, i64 8
  %n = load i64, ptr %size
  %m = add i64 %n, 1
  store i64 %m, ptr %size
  %bytes = mul nuw i64 %m, 8
  %many = call ptr @malloc(i64 %bytes)
  %isone = icmp eq i64 %m, 1
  br i1 %isone, label %go, label %grow
grow:
  call void @llvm.memset.p0.i64(ptr %many, i8 0, i64 %bytes, i1 false)
  store ptr %many, ptr %t
  br label %go
go:
  %buckets = load ptr, ptr %t
  %k = urem i64 %hash, %m
  %bucket = getelementptr inbounds nuw ptr, ptr %buckets, i64 %k
  store ptr %first, ptr %bucket
  %before = load ptr, ptr %bucket
  %node = load ptr, ptr %before
  %value = getelementptr inbounds nuw i8, ptr %node, i64 8
  %v = load double, ptr %value
  store ptr %node, ptr %bucket
  ret double %v
}

; The index may be negative: an element may be anything before the place where it starts.
; CHECK-LABEL: types of @signed.prepared
; CHECK: %count: float double
define double @signed(ptr %r, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  %array = getelementptr inbounds nuw i8, ptr %r, i64 8
  %element = getelementptr inbounds double, ptr %array, i64 %i
  %v = load double, ptr %element
  %count = load i64, ptr %r
  %more = add i64 %count, 1
  store i64 %more, ptr %r
  ret double %v
}

; It is not: what stands before the array is none of its elements.
; CHECK-LABEL: types of @onward.prepared
; CHECK: %element -> every 8: {0..8 float double}
; CHECK-NOT: %count:
define double @onward(ptr %r, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  %array = getelementptr inbounds nuw i8, ptr %r, i64 8
  %element = getelementptr inbounds nuw double, ptr %array, i64 %i
  %v = load double, ptr %element
  %count = load i64, ptr %r
  %more = add i64 %count, 1
  store i64 %more, ptr %r
  ret double %v
}
declare ptr @malloc(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
