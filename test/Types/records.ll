; A copy of a record is typed member by member; padding may hold anything.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

%struct.Body = type { i32, double, [3 x double] }

; The loop over v[j] says nothing about the members beside v.
; CHECK-LABEL: types of @copied
; CHECK: %bodies -> every 40: {0..4 integer, 4..8 anything, 8..40 float double}
; CHECK: copy of 40 bytes at %body: every 40: {0..4 integer, 4..8 anything, 8..40 float double}
define double @copied(ptr %bodies, i64 %i, i64 %j) "isozyme-request"="reverse(dup,const,const)->active" {
  %local = alloca %struct.Body
  %body = getelementptr %struct.Body, ptr %bodies, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr %body, i64 40, i1 false)
  %v = getelementptr %struct.Body, ptr %local, i64 0, i32 2, i64 %j
  %x = load double, ptr %v
  ret double %x
}

; Without declarations only what is accessed is known: not the gap, not the rest.
; CHECK-LABEL: types of @bare
; CHECK: copy of 24 bytes at %from: every 24: {0..4 integer, 4..8 unknown, 8..16 float double, 16..24 unknown}
define double @bare(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->active" {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 24, i1 false)
  %n = load i32, ptr %to
  %odd = mul i32 %n, 3
  %f = sitofp i32 %odd to double
  %q = getelementptr i8, ptr %to, i64 8
  %x = load double, ptr %q
  %y = fmul double %x, %f
  ret double %y
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
