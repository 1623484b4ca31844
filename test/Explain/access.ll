; What differentiation makes of memory that is accessed in other ways than by loads and stores.
; RUN: %opt -passes=autodiff -isozyme-explain=- %s -disable-output | FileCheck %s
declare void @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, <2 x double>)
declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, <2 x i1>)

define void @take(ptr %sum, ptr %x) {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  %old = atomicrmw fsub ptr %sum, double %w monotonic
  %at = getelementptr double, ptr %x, i64 1
  %u = load double, ptr %at
  atomicrmw fadd ptr %sum, double %u monotonic
  ret void
}
define void @some(ptr %to, ptr %from, <2 x i1> %mask, <2 x double> %other) {
  %v = call <2 x double> @llvm.masked.load.v2f64.p0(ptr align 8 %from, <2 x i1> %mask, <2 x double> %other)
  %w = fmul <2 x double> %v, %v
  call void @llvm.masked.store.v2f64.p0(<2 x double> %w, ptr align 8 %to, <2 x i1> %mask)
  ret void
}
define void @ask(ptr %a, ptr %b, <2 x i1> %m, <2 x double> %o) {
  call void (...) @__enzyme_autodiff(ptr @take, ptr %a, ptr %b, ptr %a, ptr %b)
  call void (...) @__enzyme_fwddiff(ptr @take, ptr %a, ptr %b, ptr %a, ptr %b)
  ret void
}
define <2 x double> @more(ptr %a, ptr %b, <2 x i1> %m, <2 x double> %o) {
  %r = call <2 x double> (...) @__enzyme_autodiff_v(ptr @some, ptr %a, ptr %b, ptr %a, ptr %b, <2 x i1> %m, <2 x double> %o)
  call void (...) @__enzyme_fwddiff(ptr @some, ptr %a, ptr %b, ptr %a, ptr %b, <2 x i1> %m, <2 x double> %o, <2 x double> %o)
  ret <2 x double> %r
}
declare <2 x double> @__enzyme_autodiff_v(...)

; The value of a subtraction receives the adjoint with the other sign; the memory keeps it.
; CHECK: reverse of 'take'
; CHECK: reverse: u.adj += sum.shadow[0]
; CHECK-NEXT: reverse: x.shadow[1] += u.adj
; CHECK-NEXT: reverse: w.adj -= sum.shadow[0]
; CHECK-NEXT: reverse: v.adj += 2 * w.adj * v
; CHECK: forward of 'take'
; CHECK: forward: sum.shadow[0] -= w.tan
; CHECK: forward: sum.shadow[0] += u.tan

; CHECK: reverse of 'some'
; CHECK: reverse: w.adj += mask ? to.shadow[0] : 0
; CHECK-NEXT: reverse: to.shadow[0] = mask ? 0 : to.shadow[0]
; CHECK: reverse: from.shadow[0] += mask ? v.adj : 0
; CHECK-NEXT: reverse: other.adj += mask ? 0 : v.adj
; CHECK: forward of 'some'
; CHECK: forward: v.tan = mask ? from.shadow[0] : other.tan
; CHECK: forward: to.shadow[0] = mask ? w.tan : to.shadow[0]
