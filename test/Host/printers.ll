; Printers leave the module as it was; what they made on the way is gone.
; RUN: opt %s -S -o %t.before
; RUN: %opt %s -passes='print<isozyme-requests>,print<isozyme-prepared>,print<isozyme-types>,print<isozyme-activity>,print<isozyme-needs>,print<isozyme-plan>' -S -o %t.after 2> %t.printed
; RUN: diff %t.before %t.after
; RUN: FileCheck %s < %t.printed
; CHECK: reverse(@outer: active double) -> active, width 1
; CHECK: derivative plan

declare double @__enzyme_autodiff(ptr, ...)
declare double @exp(double)

define internal double @inner(double %x) noinline {
  %e = call double @exp(double %x)
  %y = fmul double %e, %x
  ret double %y
}

define double @outer(double %x) {
  %i = call double @inner(double %x)
  %y = fmul double %i, %i
  ret double %y
}

define double @slope(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @outer, double %x)
  ret double %d
}
