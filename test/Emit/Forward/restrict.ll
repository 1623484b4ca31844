; What a restrict parameter promises holds for its shadows as well, so that loops over several lanes can be
; vectorised without a check per pair of pointers; not where a shadow may be the memory itself.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
declare i32 @__enzyme_fwddiff(...)
@enzyme_width = external global i32
@enzyme_runtime_activity = external global i32

; CHECK: define internal void @forward2.scale(ptr noalias %to, ptr noalias %to.shadow, ptr noalias %to.shadow{{.*}}, ptr noalias readonly %from, ptr noalias %from.shadow, ptr noalias %from.shadow{{.*}}, ptr %any, ptr %any.shadow, ptr %any.shadow{{.*}})
; CHECK: define internal void @forward.scale(ptr %to, ptr %to.shadow, ptr readonly %from, ptr %from.shadow, ptr %any, ptr %any.shadow)
define void @scale(ptr noalias %to, ptr noalias readonly %from, ptr %any) {
  %x = load double, ptr %from
  %y = load double, ptr %any
  %z = fmul double %x, %y
  store double %z, ptr %to
  ret void
}
define void @caller(ptr %p, ptr %q, ptr %r, ptr %p0, ptr %q0, ptr %r0, ptr %p1, ptr %q1, ptr %r1) {
  %w = load i32, ptr @enzyme_width
  call i32 (...) @__enzyme_fwddiff(ptr @scale, i32 %w, i32 2, ptr %p, ptr %p0, ptr %p1, ptr %q, ptr %q0, ptr %q1, ptr %r, ptr %r0, ptr %r1)
  %a = load i32, ptr @enzyme_runtime_activity
  call i32 (...) @__enzyme_fwddiff(ptr @scale, i32 %a, ptr %p, ptr %p0, ptr %q, ptr %q0, ptr %r, ptr %r0)
  ret void
}
