; Under a mask: where the shadow may be the memory itself, nothing is read there; numbers
; count as zero, addresses are their own shadow.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

; CHECK-LABEL: define internal { double } @forward.f(
; CHECK: [[OWN:%.*]] = icmp eq ptr %p.shadow, %p
; CHECK: [[ALL:%.*]] = shufflevector
; CHECK-NEXT: [[NOT:%.*]] = xor <2 x i1> [[ALL]], splat (i1 true)
; CHECK-NEXT: [[READ:%.*]] = and <2 x i1> %m, [[NOT]]
; CHECK-NEXT: [[ELSE:%.*]] = select <2 x i1> [[ALL]], <2 x double> zeroinitializer, <2 x double> %o.tan
; CHECK-NEXT: %v.tan = call <2 x double> @llvm.masked.load{{.*}}(ptr %p.shadow, <2 x i1> [[READ]], <2 x double> [[ELSE]])
define double @f(ptr %a, ptr %b, i1 %c, <2 x i1> %m, <2 x double> %o) {
  %p = select i1 %c, ptr %a, ptr %b
  %v = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %p, <2 x i1> %m, <2 x double> %o)
  %r = call double @llvm.vector.reduce.fadd.v2f64(double 0.0, <2 x double> %v)
  ret double %r
}
define double @call(ptr %a, ptr %da, ptr %b, i1 %c, <2 x i1> %m, <2 x double> %o) {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, metadata !"enzyme_dup", ptr %a, ptr %da, metadata !"enzyme_const", ptr %b, i1 %c, <2 x i1> %m, <2 x double> %o, <2 x double> %o)
  ret double %r
}
declare double @__enzyme_fwddiff(...)
declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, <2 x double>)
declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)
