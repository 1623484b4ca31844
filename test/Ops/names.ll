; Math functions are known under their names for each type; a function with a body is the user's own.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: calls
; CHECK-DAG: @sinf by rule
; CHECK-DAG: @sin by rule
; CHECK-DAG: @sinl by rule
; CHECK-DAG: @llvm.sin.f64 by rule
; CHECK-DAG: @floor inactive
; CHECK-DAG: @cos differentiate
; CHECK-LABEL: reverse
define double @all(double %x) "isozyme-request"="reverse(active)->active" {
  %f = fptrunc double %x to float
  %a = call float @sinf(float %f)
  %b = call double @sin(double %x)
  %l = fpext double %x to x86_fp80
  %c = call x86_fp80 @sinl(x86_fp80 %l)
  %d = call double @llvm.sin.f64(double %x)
  %e = call double @floor(double %x)
  %g = call double @cos(double %x)
  %a1 = fpext float %a to double
  %c1 = fptrunc x86_fp80 %c to double
  %s1 = fadd double %a1, %b
  %s2 = fadd double %c1, %d
  %s3 = fadd double %e, %g
  %s4 = fadd double %s1, %s2
  %s5 = fadd double %s3, %s4
  ret double %s5
}
define double @cos(double %x) noinline {
  %y = fmul double %x, 2.0
  ret double %y
}
declare float @sinf(float)
declare double @sin(double)
declare x86_fp80 @sinl(x86_fp80)
declare double @llvm.sin.f64(double)
declare double @floor(double)
