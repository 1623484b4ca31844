; Operations that observe the float environment become plain ones, but for those that round in
; a way of their own.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @plain
; CHECK: %a = fadd double %x, %x
; CHECK: %b = call double @llvm.sqrt.f64(double %a)
; CHECK: %c = fcmp olt double %b, %x
; CHECK: %d = fptrunc double %b to float
; CHECK: %e = call i64 @llvm.lrint.i64.f64(double %b)
; CHECK: %f = sitofp i64 %e to double
; CHECK: %g = call double @llvm.ldexp.f64.i32(double %f, i32 3)
; CHECK: %h = call double @cbrt(double %g){{$}}
; CHECK: %i = call double @llvm.experimental.constrained.fadd.f64(double %h, double %h, metadata !"round.upward"
define double @plain(double %x) strictfp {
  %a = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %b = call double @llvm.experimental.constrained.sqrt.f64(double %a, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  %c = call i1 @llvm.experimental.constrained.fcmp.f64(double %b, double %x, metadata !"olt", metadata !"fpexcept.strict") strictfp
  %d = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %e = call i64 @llvm.experimental.constrained.lrint.i64.f64(double %b, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %f = call double @llvm.experimental.constrained.sitofp.f64.i64(i64 %e, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %g = call double @llvm.experimental.constrained.ldexp.f64.i32(double %f, i32 3, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %h = call double @cbrt(double %g) strictfp
  %i = call double @llvm.experimental.constrained.fadd.f64(double %h, double %h, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
  %w = fpext float %d to double
  %s = select i1 %c, double %i, double %w
  ret double %s
}
declare double @cbrt(double)
