; An integer parameter that is stored where an address is read has no shadow: an error, not a guess.
; RUN: not %opt -passes=autodiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: it cannot be told whether the integer 'n' is a number or the address of differentiated data{{.*}} [IZ203]

define double @f(ptr %p, i64 %n) {
  store i64 %n, ptr %p
  %q = load ptr, ptr %p
  %v = load double, ptr %q
  ret double %v
}
declare double @__enzyme_fwddiff(ptr, ...)
define double @df(ptr %p, ptr %dp, i64 %n) {
  %t = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %p, ptr %dp, i64 %n)
  ret double %t
}
