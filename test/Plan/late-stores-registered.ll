; A reverse function of the user's may read memory as the primal leaves it: no store waits.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

@__enzyme_register_gradient_peak = global [3 x ptr] [ptr @peak, ptr @augment, ptr @backwards]

define double @peak(ptr %x) noinline {
  %v = load double, ptr %x
  ret double %v
}
define { ptr, double } @augment(ptr %x, ptr %dx) {
  ret { ptr, double } zeroinitializer
}
define void @backwards(ptr %x, ptr %dx, double %d, ptr %tape) {
  ret void
}
define double @between(ptr %x) noinline {
  %p = call double @peak(ptr %x)
  ret double %p
}
define void @f(ptr %x, ptr %out) "isozyme-request"="reverse(dup, dup) -> const" {
  %s = call double @between(ptr %x)
  store double %s, ptr %out
  ret void
}
; CHECK-LABEL: plan for reverse(@f
; CHECK:         @between   differentiate
; CHECK-NOT:     done after
