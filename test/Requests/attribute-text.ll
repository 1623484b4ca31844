; A request can be written on a function, for tests of a stage that has no caller.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: reverse(@f: dup ptr, const i64) -> active, width 1
; CHECK: forward(@g: dup double) -> dup, primal, width 4
; CHECK: augment(@h: dup? ptr overwritten, dup! ptr overwritten, const ptr overwritten) -> const, width 1, level 2, globals @a @b
@a = global double 0.0
@b = global double 0.0

define double @f(ptr %p, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
  ret double 0.0
}
define double @g(double %x) "isozyme-request"="forward(dup) -> dup, primal, width 4" {
  ret double %x
}
define void @h(ptr %p, ptr %q, ptr %r) "isozyme-request"="augment(dup?, dup!, const) -> const, level 2, globals @a @b" {
  ret void
}
