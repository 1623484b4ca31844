; enzyme_runtime_activity asks for the comparison of every argument that has a shadow in memory.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: reverse(@f: dup? ptr, dup? ptr, const i64, active double) -> active, width 1
; CHECK: forward(@f: dup? ptr, const ptr, const i64, dup double) -> dup, width 1
@enzyme_runtime_activity = external global i32
@enzyme_dup = external global i32
@enzyme_const = external global i32
define double @f(ptr %p, ptr %q, i64 %n, double %x) {
  ret double %x
}
define double @g(ptr %p, ptr %dp, ptr %q, i64 %n, double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_runtime_activity, ptr %p, ptr %dp, ptr @enzyme_dup, ptr %q, ptr %dp, i64 %n, double %x)
  %s = call double (...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_dup, ptr %p, ptr %dp, ptr @enzyme_const, ptr %q, i64 %n, ptr @enzyme_runtime_activity, double %x, double 1.0)
  %t = fadd double %r, %s
  ret double %t
}
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
