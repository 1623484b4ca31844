; Operations with two results become two operations.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @pairs
; CHECK: call double @sin(double %x)
; CHECK: call double @cos(double %x)
; CHECK: %whole = call double @llvm.trunc.f64(double %x)
; CHECK: %fraction = call double @llvm.copysign.f64(
; CHECK-NOT: extractvalue
define double @pairs(double %x) {
  %sp = alloca double
  %cp = alloca double
  call void @sincos(double %x, ptr %sp, ptr %cp)
  %s = load double, ptr %sp
  %c = load double, ptr %cp
  %m = call { double, double } @llvm.modf.f64(double %x)
  %f = extractvalue { double, double } %m, 0
  %w = extractvalue { double, double } %m, 1
  %t1 = fadd double %s, %c
  %t2 = fadd double %f, %w
  %t3 = fmul double %t1, %t2
  ret double %t3
}
declare void @sincos(double, ptr, ptr)
