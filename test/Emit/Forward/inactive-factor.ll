; A factor that does not vary contributes no term: its zero is never written down.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x, double %y) {
  %p = fmul double %x, %y
  %s = fadd double %p, 3.0
  ret double %s
}

@enzyme_const = external global i32
declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x, double %y) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, ptr @enzyme_const, double %y)
  ret double %r
}
; CHECK:     %p.tan = fmul reassoc nsz contract double
; CHECK-NOT: fadd {{.*}}double %p.tan
; CHECK:     insertvalue { double } poison, double %p.tan, 0
