; A copy that begins or ends inside of a number moves a piece of it: in memory of which everything else is seen, the
; piece was bytes that do not matter, and the number lost its derivative.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @behind
; CHECK: %rest -> every 7: {0..7 unknown}
define void @behind(ptr %x, ptr %y) "isozyme-request"="reverse(dup,dup)->const" {
  %rest = alloca [7 x i8]
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %x
  %from = getelementptr i8, ptr %x, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %from, i64 7, i1 false)
  ret void
}

; What a copy brings whole is a number.
; CHECK-LABEL: types of @whole
; CHECK: %p -> every 12: {0..8 float double, 8..12 unknown}
define void @whole(ptr %x, ptr %y) "isozyme-request"="reverse(dup,dup)->const" {
  %p = alloca [12 x i8]
  %v = load double, ptr %x
  %at = getelementptr i8, ptr %x, i64 8
  %w = load double, ptr %at
  %m = fmul double %v, %w
  store double %m, ptr %y
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %x, i64 12, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
