; A vector without a value is zero, also where its elements are without one in two ways.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @mixed
; CHECK: insertelement <2 x double> zeroinitializer, double %x, i64 0
; CHECK: insertelement <2 x double> <double 0.000000e+00, double 3.000000e+00>, double %x, i64 1
define double @mixed(double %x) {
  %a = insertelement <2 x double> <double undef, double poison>, double %x, i64 0
  %b = insertelement <2 x double> <double poison, double 3.0>, double %x, i64 1
  %s = fmul <2 x double> %a, %b
  %r = extractelement <2 x double> %s, i64 0
  ret double %r
}
define double @asked(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @mixed, double %x)
  ret double %d
}
declare double @__enzyme_autodiff(...)
