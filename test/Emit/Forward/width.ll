; Two lanes: one tangent each, the result holds an array of them.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x) {
  %n = fneg double %x
  ret double %n
}

@enzyme_width = external global i32
%pair = type { double, double }
declare %pair @__enzyme_fwddiff_two(ptr, ...)
define %pair @df(double %x) {
  %r = call %pair (ptr, ...) @__enzyme_fwddiff_two(ptr @f, ptr @enzyme_width, i32 2, double %x, double 1.0, double 2.0)
  ret %pair %r
}
; CHECK: define internal { [2 x double] } @{{.*}}(double %x, double %x.tan, double %x.tan1)
; CHECK:   %n.tan = fneg reassoc nsz contract double %x.tan
; CHECK:   %n.tan{{[0-9]+}} = fneg reassoc nsz contract double %x.tan1
; CHECK:   insertvalue { [2 x double] } poison, double %n.tan, 0, 0
; CHECK:   insertvalue { [2 x double] } %{{.*}}, double %n.tan{{[0-9]+}}, 0, 1
