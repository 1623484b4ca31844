; The derivative of a function with a mixed parameter has a form with that parameter in memory of
; its own, not the function's.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

@enzyme_const = external global i32
define void @mixed({ double, ptr } %m, [2 x double] %a) {
  ret void
}
define double @first(double %x) {
  call void @mixed({ double, ptr } zeroinitializer, [2 x double] zeroinitializer)
  ret double %x
}
define void @inner({ double, ptr } %m, [2 x double] %a) {
  %d = call double (...) @__enzyme_autodiff(ptr @first, double 1.0)
  %r = call [2 x double] (...) @__enzyme_autodiff.1(ptr @mixed, { double, ptr } %m, { double, ptr } %m, [2 x double] %a)
  ret void
}
define double @f(double %x) {
  call void @inner({ double, ptr } zeroinitializer, [2 x double] zeroinitializer)
  ret double %x
}
declare [2 x double] @__enzyme_autodiff.1(...)
declare double @__enzyme_autodiff(...)
define double @df(double %x) {
  %g = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %g
}

; CHECK-LABEL: define {{.*}}@df(
; CHECK:         call { double } @reverse.f(
