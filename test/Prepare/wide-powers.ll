; Integer powers with an exponent that is no int: targets have no code for them.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: %a = call double @llvm.powi.f64.i32(double %x, i32 3)
; CHECK: %[[N:.*]] = sitofp i64 %n to double
; CHECK: %b = call nnan double @llvm.pow.f64(double %x, double %[[N]])
; CHECK: %c = call double @llvm.pow.f64(double %b,
; CHECK: %[[M:.*]] = sext i8 %m to i32
; CHECK: %d = call double @llvm.powi.f64.i32(double %c, i32 %[[M]])
; CHECK: %e = call double @llvm.powi.f64.i32(double %d, i32 %k)
define double @powers(double %x, i64 %n, i8 %m, i32 %k) {
  %a = call double @llvm.powi.f64.i64(double %x, i64 3)
  %b = call nnan double @llvm.powi.f64.i64(double %x, i64 %n)
  %c = call double @llvm.powi.f64.i64(double %b, i64 4294967297)
  %d = call double @llvm.powi.f64.i8(double %c, i8 %m)
  %e = call double @llvm.powi.f64.i32(double %d, i32 %k)
  %s = fadd double %a, %e
  ret double %s
}
