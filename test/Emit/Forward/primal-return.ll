; With the primal asked for, it comes first in the result.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define float @f(float %x) {
  %n = fneg float %x
  ret float %n
}

@enzyme_primal_return = external global i32
%both = type { float, float }
declare %both @__enzyme_fwddiff(ptr, ...)
define %both @df(float %x) {
  %r = call %both (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_primal_return, float %x, float 1.0)
  ret %both %r
}
; CHECK: [[A:%.*]] = insertvalue { float, float } poison, float %n, 0
; CHECK: [[B:%.*]] = insertvalue { float, float } [[A]], float %n.tan, 1
; CHECK: ret { float, float } [[B]]
