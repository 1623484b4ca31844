; The body of a function is set aside while its indirect calls are resolved. It may hold a call that
; asks for a derivative, too, and is gone when the callers of such calls are simplified.
; RUN: not %opt -passes=autodiff -S %s -o - 2>&1 | FileCheck %s

@any = global ptr null
define internal double @scale(double %x) noinline optnone {
  %y = fmul double %x, 3.0
  ret double %y
}
define internal double @apply(ptr %c, double %x) noinline optnone {
  %g = load ptr, ptr %c
  %r = call double %g(double %x)
  %unknown = load ptr, ptr @any
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr %unknown, double %x)
  %s = fadd double %r, %d
  ret double %s
}
define double @f(double %x) noinline optnone {
  %c = alloca ptr
  store ptr @scale, ptr %c
  %r = call double @apply(ptr %c, double %x)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x) noinline optnone {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %g
}

; CHECK: error: {{.*}}the function to differentiate is what 'any' holds, which may change{{.*}}[IZ101]
