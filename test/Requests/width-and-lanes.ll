; Lanes: separate shadows, a strided base, interleaved shadows after all primals.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: forward(@f: dup double, dup ptr, const i32) -> dup, width 2
; CHECK-NEXT: reverse(@f: active double, dupnoneed ptr, const i32) -> active, width 3
; CHECK-NEXT: forward(@f: dup double, dup ptr, const i32) -> dup, width 2
; CHECK-NEXT: forward(@f: const double, const ptr, const i32) -> dup, primal, width 1

@enzyme_width = external global i32
@enzyme_dup = external global i32
@enzyme_const = external global i32
@enzyme_dupnoneedv = external global i32
@enzyme_interleave = external global i32
@enzyme_primal_return = external global i32

define double @f(double %x, ptr %p, i32 %n) {
  ret double %x
}
declare [2 x double] @__enzyme_fwddiff(...)
declare {double, double} @__enzyme_fwddiff1(...)
declare [3 x double] @__enzyme_autodiff(...)

define void @caller(double %x, ptr %p, ptr %q) {
  call [2 x double] (...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_width, i64 2, double %x, double 1.0, double 2.0, ptr %p, ptr %q, ptr %q, i32 1)
  call [3 x double] (...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_dupnoneedv, i64 8, ptr %p, ptr %q, i32 1, ptr @enzyme_width, i32 3)
  call [2 x double] (...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_width, i32 2, ptr @enzyme_dup, double %x, ptr %p, ptr @enzyme_const, i32 1, ptr @enzyme_interleave, double 1.0, double 2.0, ptr %q, ptr %q)
  ; Unmarked arguments before enzyme_interleave are as the one before them.
  call {double, double} (...) @__enzyme_fwddiff1(ptr @f, ptr @enzyme_primal_return, ptr @enzyme_const, double %x, ptr %p, i32 1, ptr @enzyme_interleave)
  ret void
}
