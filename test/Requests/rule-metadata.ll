; Derivatives that a front end names in metadata; metadata that names none is an error.
; RUN: %opt -passes=autodiff -S %s -o - | FileCheck %s
; RUN: sed 's/^!0 = .*/!0 = !{i32 3}/' %s > %t.ll
; RUN: not %opt -passes=autodiff -S %t.ll -o %t.out 2>&1 | FileCheck %s --check-prefix=BAD
; BAD: error: {{.*}}the metadata 'enzyme_augment' of 'f' does not name the functions of a derivative; {{.*}} [IZ115]
define double @f(double %x) noinline !enzyme_augment !0 !enzyme_gradient !1 !enzyme_derivative !2 {
  %y = fmul double %x, %x
  ret double %y
}
define double @a(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @r(double %x, double %s) {
  %y = fmul double %s, 7.0
  ret double %y
}
define {double, double} @t(double %x, double %d) {
  %y = insertvalue {double, double} poison, double %x, 0
  %z = insertvalue {double, double} %y, double 9.0, 1
  ret {double, double} %z
}
define double @use(double %x) {
  %y = call double @f(double %x)
  ret double %y
}
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
; CHECK-LABEL: @rev(
; CHECK-NEXT: ret double 7.0
define double @rev(double %x) {
  %d = call double (...) @__enzyme_autodiff(ptr @use, double %x)
  ret double %d
}
; CHECK-LABEL: @fwd(
; CHECK-NEXT: ret double 9.0
define double @fwd(double %x) {
  %d = call double (...) @__enzyme_fwddiff(ptr @use, double %x, double 1.0)
  ret double %d
}
!0 = !{ptr @a}
!1 = !{ptr @r}
!2 = !{ptr @t}
