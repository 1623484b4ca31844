; The halves of a split derivative have a request each; a question for the size has that of the
; first half; promises and the use of a tape are part of it.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s
; CHECK:      augment(@f: active double, dup ptr overwritten) -> active, tape outlives, width 1
; CHECK-NEXT: fromtape(@f: active double, dup ptr overwritten) -> active, tape outlives, width 1
; CHECK-NEXT: fromtape(@f: active double, dup ptr) -> active, keep tape, tape outlives, width 2
; CHECK-NEXT: augment(@f: const double, dup ptr) -> active, tape outlives, width 1
; CHECK-NEXT: forward(@f: dup double, const ptr) -> dup, width 1

declare ptr @__enzyme_augmentfwd(...)
declare double @__enzyme_reverse(...)
declare { double, double } @__enzyme_reverse_two(...)
declare i64 @__enzyme_augmentsize(...)
declare double @__enzyme_fwdsplit(...)

define double @f(double %x, ptr %p) {
  ret double %x
}

define void @calls(double %x, ptr %p, ptr %q, ptr %r, [2 x double] %seed) {
  %tape = call ptr (...) @__enzyme_augmentfwd(ptr @f, double %x, ptr %p, ptr %q)
  %g = call double (...) @__enzyme_reverse(ptr @f, double %x, ptr %p, ptr %q, double 1.0, ptr %tape)
  %two = call { double, double } (...) @__enzyme_reverse_two(ptr @f, metadata !"enzyme_width", i64 2,
    metadata !"enzyme_nofree", double %x, metadata !"enzyme_not_overwritten", ptr %p, ptr %q, ptr %r,
    [2 x double] %seed, ptr %tape)
  %size = call i64 (...) @__enzyme_augmentsize(ptr @f, metadata !"enzyme_const",
    metadata !"enzyme_not_overwritten", metadata !"enzyme_dup")
  %t = call double (...) @__enzyme_fwdsplit(ptr @f, double %x, double 1.0, metadata !"enzyme_const", ptr %p, ptr %tape)
  ret void
}
