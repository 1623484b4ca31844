; An integer that carries the bits of a float carries the bits of its tangent likewise.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(ptr %p, ptr %q) {
  %x = load double, ptr %p, align 8
  %bits = load i64, ptr %p, align 8
  store i64 %bits, ptr %q, align 8
  %y = bitcast i64 %bits to double
  %s = fadd double %x, %y
  ret double %s
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(ptr %p, ptr %dp, ptr %q, ptr %dq) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %p, ptr %dp, ptr %q, ptr %dq)
  ret double %r
}
; CHECK: %bits.tan = load i64, ptr %p.shadow, align 8
; CHECK: store i64 %bits.tan, ptr %q.shadow, align 8
; CHECK: %y.tan = bitcast i64 %bits.tan to double
