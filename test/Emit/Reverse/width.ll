; Width 2: the primal and what does not contain the seed is there once, the adjoints per lane.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x, double %y) {
  %p = fmul double %x, %y
  %e = call double @exp(double %p)
  ret double %e
}
declare double @exp(double)
@enzyme_width = external global i32
@enzyme_const = external global i32
declare [2 x double] @__enzyme_autodiff(ptr, ...)
define [2 x double] @df(double %x, double %y) {
  %g = call [2 x double] (ptr, ...) @__enzyme_autodiff(ptr @f, ptr @enzyme_width, i64 2, double %x, ptr @enzyme_const, double %y)
  ret [2 x double] %g
}

; CHECK-LABEL: define internal { [2 x double] } @reverse2.f(double %x, double %y, [2 x double] %seed)
; CHECK-COUNT-1: call double @exp(double %p)
; CHECK:         [[S0:%.*]] = extractvalue [2 x double] %seed, 0
; CHECK:         [[S1:%.*]] = extractvalue [2 x double] %seed, 1
; CHECK:         fmul reassoc nsz contract double [[S0]], %e
; CHECK-NEXT:    fmul reassoc nsz contract double [[S1]], %e
; CHECK-NOT:     @exp
