; A rule whose second half takes a tape that holds nothing: it is passed all the same.
; RUN: %opt -passes=autodiff -S %s -o - | FileCheck %s
; CHECK-LABEL: @slope(
; CHECK: call {{.*}}@second(double %x, double 1.0{{.*}}, {}
define double @f(double %x) noinline !enzyme_augment !0 !enzyme_gradient !1 {
  %y = fmul double %x, %x
  ret double %y
}
define { {}, double } @first(double %x) noinline {
  %y = fmul double %x, %x
  %r = insertvalue { {}, double } poison, double %y, 1
  ret { {}, double } %r
}
define { double } @second(double %x, double %seed, {} %tape) noinline {
  %y = fmul double %seed, %x
  %r = insertvalue { double } poison, double %y, 0
  ret { double } %r
}
define double @use(double %x) {
  %y = call double @f(double %x)
  ret double %y
}
declare double @__enzyme_autodiff(...)
define double @slope(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @use, double %x)
  ret double %d
}
!0 = !{ptr @first}
!1 = !{ptr @second}
