; A function with a version for each processor is called in its default one; of others nothing is known.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

@f = ifunc double (double), ptr @f.resolver
@g = ifunc double (double), ptr @g.resolver

define double @f.avx2.0(double %x) noinline {
  %y = fmul double %x, %x
  ret double %y
}
define double @f.default.1(double %x) noinline {
  %y = fmul double %x, %x
  ret double %y
}
define ptr @f.resolver() {
  %has = load i1, ptr null
  %version = select i1 %has, ptr @f.avx2.0, ptr @f.default.1
  ret ptr %version
}
define ptr @g.resolver() {
  ret ptr @f.avx2.0
}

; CHECK-LABEL: @use.prepared
; CHECK: call double @f.default.1(double %x)
; CHECK: call double @g(double %y)
define double @use(double %x) "isozyme-request"="reverse(active)->active" {
  %y = call double @f(double %x)
  %z = call double @g(double %y)
  ret double %z
}
