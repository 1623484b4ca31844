; Elements that are set to zero together, and that nothing touches one by one, are
; what the other elements of their array are.
; RUN: %opt -passes='print<isozyme-needs>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: needs of
; CHECK: %rest shadow for call
define double @f(ptr %m) "isozyme-request"="reverse(dup)->active" {
  %rest = getelementptr i8, ptr %m, i64 8
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 32, i1 false)
  %v = load double, ptr %m
  ret double %v
}
