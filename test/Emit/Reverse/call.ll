; A call is split: the forward half returns the result and its tape, the reverse half takes the
; adjoint of the result and the tape. An argument that it does not read is not passed.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(ptr %x) {
  %r = call double @g(ptr %x)
  %s = fmul double %r, %r
  ret double %s
}
define double @g(ptr %x) noinline {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %x
  ret double %v
}
declare void @__enzyme_autodiff(ptr, ...)
define void @df(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx)
  ret void
}

; CHECK-LABEL: define internal void @reverse.f(
; CHECK-NEXT:    [[BOTH:%.*]] = call { double, { double } } @augment.g(ptr %x, ptr %x.shadow)
; CHECK-NEXT:    %r = extractvalue { double, { double } } [[BOTH]], 0
; CHECK-NEXT:    %r.tape = extractvalue { double, { double } } [[BOTH]], 1
; CHECK:         call void @reverse.from.tape.g(ptr poison, ptr %x.shadow, double {{%.*}}, { double } %r.tape)
; CHECK-LABEL: define internal { double, { double } } @augment.g(ptr %x, ptr %x.shadow)
; CHECK-LABEL: define internal void @reverse.from.tape.g(ptr %x, ptr %x.shadow, double %seed, { double } %tape)
