; A tape of more than 32 members is passed by a pointer; the tape of the caller then has one member in its place.
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-print-after=plan -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=CODE %s < %t.ll

; CHECK-LABEL: derivative plan for augment(@third: active double) -> active
; CHECK:         tape (returned)
; CHECK-LABEL: derivative plan for augment(@fourth: active double) -> active
; CHECK:         tape (returned by a pointer: many members)
; CHECK-LABEL: derivative plan for augment(@fifth: active double) -> active
; CHECK:         tape (returned)
; CHECK:         ptr scalar  8 bytes  %a tape
; CHECK-LABEL: derivative plan for reverse(@f: active double) -> active
; CHECK:         tape (local)

; CODE-LABEL: define internal { double, ptr } @augment.fourth(
; CODE:         call ptr @isozyme.tape.push(
; CODE-LABEL: define internal {{.*}}@reverse.from.tape.fourth(
; CODE:         call void @isozyme.tape.pop(ptr %tape)

define double @leaf(double %x) noinline {
  %y = call double @llvm.exp.f64(double %x)
  ret double %y
}
define double @first(double %x) noinline {
  %a = call double @leaf(double %x)
  %h = fmul double %x, 0.5
  %b = call double @leaf(double %h)
  %r = fmul double %a, %b
  ret double %r
}
define double @second(double %x) noinline {
  %a = call double @first(double %x)
  %h = fmul double %x, 0.5
  %b = call double @first(double %h)
  %r = fmul double %a, %b
  ret double %r
}
define double @third(double %x) noinline {
  %a = call double @second(double %x)
  %h = fmul double %x, 0.5
  %b = call double @second(double %h)
  %r = fmul double %a, %b
  ret double %r
}
define double @fourth(double %x) noinline {
  %a = call double @third(double %x)
  %h = fmul double %x, 0.5
  %b = call double @third(double %h)
  %r = fmul double %a, %b
  ret double %r
}
define double @fifth(double %x) noinline {
  %a = call double @fourth(double %x)
  %h = fmul double %x, 0.5
  %b = call double @fourth(double %h)
  %r = fmul double %a, %b
  ret double %r
}
define double @f(double %x) noinline {
  %a = call double @fifth(double %x)
  %h = fmul double %x, 0.5
  %b = call double @fifth(double %h)
  %r = fmul double %a, %b
  ret double %r
}
declare double @llvm.exp.f64(double)
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %g
}
