; A function that may be replaced when the program is linked has an internal form: its own symbol.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define hidden { ptr, double } @pair(ptr %p, double %x) section "text.pairs" {
  %y = fmul double %x, %x
  %a = insertvalue { ptr, double } poison, ptr %p, 0
  %b = insertvalue { ptr, double } %a, double %y, 1
  ret { ptr, double } %b
}
define double @f(ptr %p, double %x) {
  %r = call { ptr, double } @pair(ptr %p, double %x)
  %q = extractvalue { ptr, double } %r, 0
  %y = extractvalue { ptr, double } %r, 1
  %v = load double, ptr %q
  %z = fmul double %v, %y
  ret double %z
}
declare double @__enzyme_autodiff(...)
define double @df(ptr %p, ptr %dp, double %x) {
  %g = call double (...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %dp, double %x)
  ret double %g
}

; CHECK: define internal {{.*}}@augment.pair.by.memory(
; CHECK-NOT: section "text.pairs"
; CHECK: define internal {{.*}}@reverse.from.tape.pair.by.memory(
