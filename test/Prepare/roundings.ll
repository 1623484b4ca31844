; A large constant that is added and taken away again rounds: the sum carries no derivative.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: define {{.*}}@f.prepared
define double @f(double %x, double %y) {
  ; CHECK: %a = fadd double %x, {{.*}}, !enzyme_inactive
  %a = fadd double %x, 0x4338000000000000
  %r = fsub double %a, 0x4338000000000000
  ; CHECK: %b = call double @llvm.fmuladd.f64({{.*}}), !enzyme_inactive
  %b = call double @llvm.fmuladd.f64(double %x, double 2.0, double 0x42C8000000000000)
  %bits = bitcast double %b to i64
  %s = fadd double %b, 0xC2C8000000000000
  ; What is taken from the constant is rounded, too (a table of exp(-x)).
  ; CHECK: %k = fsub double {{.*}}, %y, !enzyme_inactive
  %k = fsub double 0x4338000000000000, %y
  %l = fadd double %k, 0xC338000000000000
  ; Not the same constant, one that loses nothing, and a sum that is used in another way.
  ; CHECK: %c = fadd double %y, {{[^,]*$}}
  %c = fadd double %y, 0x4338000000000000
  %d = fsub double %c, 0x4330000000000000
  ; CHECK: %e = fadd double %x, 3.000000e+00{{$}}
  %e = fadd double %x, 3.0
  %g = fsub double %e, 3.0
  ; CHECK: %h = fadd double %x, {{[^,]*$}}
  %h = fadd double %x, 0x43E0000000000000
  %i = fsub double %h, 0x43E0000000000000
  %j = fmul double %h, %i
  %n = sitofp i64 %bits to double
  %1 = fadd double %r, %s
  %2 = fadd double %d, %g
  %3 = fadd double %1, %2
  %4 = fadd double %3, %j
  %5 = fadd double %4, %n
  %6 = fadd double %5, %l
  ret double %6
}
declare double @llvm.fmuladd.f64(double, double, double)
declare void @__enzyme_autodiff(ptr, ...)
define void @df(double %x) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, double %x)
  ret void
}
