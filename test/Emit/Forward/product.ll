; Both factors vary: the product rule. Products of derivatives come in any order; they may be fused with the sum.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x, double %y) {
  %p = fmul contract double %x, %y
  ret double %p
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x, double %y) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, double %y, double 2.0)
  ret double %r
}
; CHECK: define internal { double } @{{.*}}f{{.*}}(double %x, double %x.tan, double %y, double %y.tan)
; CHECK-DAG: [[A:%.*]] = fmul reassoc nsz contract double %{{x.tan, %y|y, %x.tan}}
; CHECK-DAG: [[B:%.*]] = fmul reassoc nsz contract double %{{y.tan, %x|x, %y.tan}}
; CHECK:   %p.tan = fadd contract double [[A]], [[B]]
; CHECK:   [[R:%.*]] = insertvalue { double } poison, double %p.tan, 0
; CHECK:   ret { double } [[R]]
