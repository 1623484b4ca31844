; __isozyme_dependence is a forward request, with masks in the place of tangents; so are the requests
; for callees, and the printed form can be read again.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=REQUEST
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s --check-prefix=CALL
; REQUEST: dependence(@h: dup ptr) -> const, width 1
; REQUEST: dependence(@f: dup ptr, dup ptr, const i64) -> const, width 1
; CALL: define internal void @dependence.f(
; CALL: call { double, double } @dependence.g(ptr %x, ptr %x.shadow)
@enzyme_dup = external global i32
define void @f(ptr %x, ptr %y, i64 %n) {
  %v = call double @g(ptr %x)
  store double %v, ptr %y
  ret void
}
define internal double @g(ptr %x) noinline {
  %v = load double, ptr %x
  ret double %v
}
define void @h(ptr %x) "isozyme-request"="dependence(dup ptr)->const" {
  %v = call double @g(ptr %x)
  store double %v, ptr %x
  ret void
}
define void @caller(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__isozyme_dependence(ptr @f, ptr @enzyme_dup, ptr %x, ptr %dx, ptr @enzyme_dup, ptr %y, ptr %dy, i64 3)
  ret void
}
declare void @__isozyme_dependence(...)
