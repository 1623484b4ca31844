; A function with many temporaries of its own, as one that sorts records, hands few copies on to its callers: what
; is copied by way of them, and nothing about them. More than a hundred would count as "anything may be anywhere".
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
%record = type { double, i64, double }

; CHECK-LABEL: types of @sorted.prepared
; CHECK: %holder -> starts with {0..8 pointer}
; CHECK: %v -> every 24: {0..8 float double, 8..16 integer, 16..24 float double}
; CHECK: copy of 16 bytes at {{.*}}: every 16: {0..8 integer, 8..16 float double}
define double @sorted(ptr %holder, i64 %k) "isozyme-request"="reverse(dup,const)->active" {
  %v = load ptr, ptr %holder
  %second = getelementptr inbounds i8, ptr %v, i64 24
  %copy = alloca [24 x i8]
  call void @swaps(ptr %v, i64 %k)
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %second, i64 24, i1 false)
  %x = load double, ptr %copy
  ret double %x
}
define void @swaps(ptr %v, i64 %k) noinline {
  %t0 = alloca %record
  %t1 = alloca %record
  %t2 = alloca %record
  %t3 = alloca %record
  %t4 = alloca %record
  %t5 = alloca %record
  %t6 = alloca %record
  %t7 = alloca %record
  %t8 = alloca %record
  %t9 = alloca %record
  %t10 = alloca %record
  %t11 = alloca %record
  %e = getelementptr inbounds %record, ptr %v, i64 %k
  %e0 = getelementptr inbounds %record, ptr %e, i64 0
  call void @llvm.memcpy.p0.p0.i64(ptr %t0, ptr %e0, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e0, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t0, i64 24, i1 false)
  %e1 = getelementptr inbounds %record, ptr %e, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %t1, ptr %e1, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e1, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t1, i64 24, i1 false)
  %e2 = getelementptr inbounds %record, ptr %e, i64 2
  call void @llvm.memcpy.p0.p0.i64(ptr %t2, ptr %e2, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e2, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t2, i64 24, i1 false)
  %e3 = getelementptr inbounds %record, ptr %e, i64 3
  call void @llvm.memcpy.p0.p0.i64(ptr %t3, ptr %e3, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e3, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t3, i64 24, i1 false)
  %e4 = getelementptr inbounds %record, ptr %e, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr %t4, ptr %e4, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e4, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t4, i64 24, i1 false)
  %e5 = getelementptr inbounds %record, ptr %e, i64 5
  call void @llvm.memcpy.p0.p0.i64(ptr %t5, ptr %e5, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e5, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t5, i64 24, i1 false)
  %e6 = getelementptr inbounds %record, ptr %e, i64 6
  call void @llvm.memcpy.p0.p0.i64(ptr %t6, ptr %e6, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e6, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t6, i64 24, i1 false)
  %e7 = getelementptr inbounds %record, ptr %e, i64 7
  call void @llvm.memcpy.p0.p0.i64(ptr %t7, ptr %e7, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e7, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t7, i64 24, i1 false)
  %e8 = getelementptr inbounds %record, ptr %e, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %t8, ptr %e8, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e8, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t8, i64 24, i1 false)
  %e9 = getelementptr inbounds %record, ptr %e, i64 9
  call void @llvm.memcpy.p0.p0.i64(ptr %t9, ptr %e9, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e9, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t9, i64 24, i1 false)
  %e10 = getelementptr inbounds %record, ptr %e, i64 10
  call void @llvm.memcpy.p0.p0.i64(ptr %t10, ptr %e10, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e10, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t10, i64 24, i1 false)
  %e11 = getelementptr inbounds %record, ptr %e, i64 11
  call void @llvm.memcpy.p0.p0.i64(ptr %t11, ptr %e11, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e11, ptr %v, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %v, ptr %t11, i64 24, i1 false)
  ret void
}

; The address that is kept in the middle of one record is found in that of another, by way of the temporary.
; CHECK-LABEL: types of @passed.prepared
; CHECK: copy of 8 bytes at %q: every 8: {0..8 float double}
define double @passed(ptr %from, ptr %to, ptr %other) "isozyme-request"="reverse(dup,dup,dup)->active" {
  call void @through(ptr %from, ptr %to)
  %p.at = getelementptr inbounds i8, ptr %from, i64 8
  %p = load ptr, ptr %p.at
  %x = load double, ptr %p
  %q.at = getelementptr inbounds i8, ptr %to, i64 8
  %q = load ptr, ptr %q.at
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %q, i64 8, i1 false)
  ret double %x
}
define void @through(ptr %from, ptr %to) noinline {
  %a = alloca [16 x i8]
  %b = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %from, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %b, i64 16, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
