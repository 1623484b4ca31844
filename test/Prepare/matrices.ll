; Operations on matrices become such on vectors.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @turned.prepared
; CHECK-NOT: llvm.matrix
; CHECK: fmul <
define double @turned(ptr %x) "isozyme-request"="reverse(dup)->active" {
  %m = call <4 x double> @llvm.matrix.column.major.load.v4f64.i64(ptr %x, i64 2, i1 false, i32 2, i32 2)
  %t = call <4 x double> @llvm.matrix.transpose.v4f64(<4 x double> %m, i32 2, i32 2)
  %p = call <4 x double> @llvm.matrix.multiply.v4f64.v4f64.v4f64(<4 x double> %t, <4 x double> %m, i32 2, i32 2, i32 2)
  call void @llvm.matrix.column.major.store.v4f64.i64(<4 x double> %p, ptr %x, i64 2, i1 false, i32 2, i32 2)
  %e = extractelement <4 x double> %p, i32 0
  ret double %e
}
