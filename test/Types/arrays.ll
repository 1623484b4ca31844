; Elements that are read at a variable index say what every element is.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @gather
; CHECK: %x -> every 8: {0..8 float double}
; CHECK: %index -> every 4: {0..4 integer}
; CHECK: %at -> every 8: {0..8 float double}
define double @gather(ptr %x, ptr %index, i64 %i) "isozyme-request"="reverse(dup,const,const)->active" {
  %place = getelementptr i32, ptr %index, i64 %i
  %k = load i32, ptr %place
  %wide = sext i32 %k to i64
  %at = getelementptr double, ptr %x, i64 %wide
  %v = load double, ptr %at
  ret double %v
}

; Rows of pointers: two levels.
; CHECK-LABEL: types of @element
; CHECK: %rows -> every 8: {0..8 pointer}
; CHECK: %row -> every 4: {0..4 float float}
define float @element(ptr %rows, i64 %i, i64 %j) "isozyme-request"="reverse(dup,const,const)->active" {
  %p = getelementptr ptr, ptr %rows, i64 %i
  %row = load ptr, ptr %p
  %q = getelementptr float, ptr %row, i64 %j
  %v = load float, ptr %q
  ret float %v
}

; The same bytes as two types: nothing is known.
; CHECK-LABEL: types of @both
; CHECK: %x -> unknown
define double @both(ptr %x, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = load ptr, ptr %p
  %w = load double, ptr %q
  %s = fadd double %v, %w
  ret double %s
}

; An index that is a constant more than a multiple: the elements are as large as the multiple, and
; begin behind the constant.
; CHECK-LABEL: types of @behind
; CHECK: %at -> every 16: {0..8 float double, 8..16 integer}
define double @behind(ptr %r, i32 %n) "isozyme-request"="reverse(dup,const)->active" {
  %p = load ptr, ptr %r
  %i = zext i32 %n to i64
  %bytes = mul nuw nsw i64 %i, 16
  %offset = add nuw nsw i64 %bytes, 24
  %at = getelementptr i8, ptr %r, i64 %offset
  %v = load double, ptr %at
  %next = getelementptr i8, ptr %at, i64 8
  %k = load i64, ptr %next
  %q = getelementptr double, ptr %p, i64 %k
  %w = load double, ptr %q
  %s = fadd double %v, %w
  ret double %s
}

; What stands before an array is none of its elements, nor is a copy of it.
; CHECK-LABEL: types of @before
; CHECK: %to -> unknown
; CHECK: copy of 16 bytes at %r: every 16: {0..16 unknown}
%List = type { ptr, ptr }
define void @before(ptr %r, ptr %to, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
  %list = getelementptr i8, ptr %r, i64 16
  %at = getelementptr inbounds nuw %List, ptr %list, i64 %n
  %p = load ptr, ptr %at
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %r, i64 16, i1 false)
  store double 1.0, ptr %p
  ret void
}
