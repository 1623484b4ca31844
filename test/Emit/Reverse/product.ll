; Straight code: adjoints flow from the seed to the arguments, each operation in reverse order,
; and the gradients are returned. A value that only the primal's result needed is gone.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x, double %y) {
  %p = fmul double %x, %y
  %s = call double @sin(double %p)
  ret double %s
}
declare double @sin(double)
declare { double, double } @__enzyme_autodiff(ptr, ...)
define { double, double } @df(double %x, double %y) {
  %g = call { double, double } (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, double %y)
  ret { double, double } %g
}

; CHECK-LABEL: define internal { double, double } @reverse.f(double %x, double %y, double %seed)
; CHECK-NEXT:    %p = fmul double %x, %y
; CHECK-NOT:     @sin
; CHECK:         [[COS:%.*]] = call double @cos(double %p)
; CHECK-NEXT:    [[P:%.*]] = fmul reassoc nsz contract double %seed, [[COS]]
; CHECK-NEXT:    [[DX:%.*]] = fmul reassoc nsz contract double [[P]], %y
; CHECK-NEXT:    [[DY:%.*]] = fmul reassoc nsz contract double [[P]], %x
; CHECK-NEXT:    insertvalue { double, double } poison, double [[DX]], 0
