; Stores through a dupnoneed argument are left out where the function does not read through it.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@written: dup ptr, dupnoneed ptr, dupnoneed ptr, const i64) -> const
; CHECK: @put{{.*}}augment(@put: active double, dupnoneed ptr
; CHECK-NEXT: store in %entry  not done on primal memory  (nobody reads it)
; CHECK-NOT: not done
; CHECK: reverse
define void @written(ptr %x, ptr %y, ptr %again, i64 %i) "isozyme-request"="reverse(dup, dupnoneed, dupnoneed, const) -> const" {
entry:
  %v = load double, ptr %x
  %at = getelementptr double, ptr %y, i64 1
  store double %v, ptr %at
  call void @put(double %v, ptr %y)
  store double %v, ptr %again
  %other = getelementptr double, ptr %again, i64 %i
  %old = load double, ptr %other
  %w = fmul double %old, %v
  store double %w, ptr %again
  ret void
}
define void @put(double %v, ptr writeonly captures(none) %y) noinline {
  store double %v, ptr %y
  ret void
}
