; Masks: united where tangents are added, kept from operands that a rule has no derivative for,
; free of what holds for floats only; choices by value take both sides.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
@enzyme_dup = external global i32
define double @f(ptr %p, double %a, i1 %c) {
  %v = load double, ptr %p, !tbaa !0
  %m = fmul fast double %v, %a
  %s = call double @llvm.floor.f64(double %a)
  %t = fadd fast double %m, %s
  %less = fcmp fast olt double %t, %v
  %by.value = select nnan i1 %less, double %t, double %a
  %by.flag = select nnan i1 %c, double %by.value, double 1.0
  %n = fptrunc double %by.flag to float
  %w = fpext float %n to double
  ret double %w
}
; CHECK-LABEL: define internal {{.*}}@dependence.f(
; CHECK: %v.tan = load double, ptr %p.shadow, align 8{{$}}
; CHECK: [[V:%.*]] = bitcast double %v.tan to i64
; CHECK: [[A:%.*]] = bitcast double %a.tan to i64
; CHECK: [[M:%.*]] = or i64 [[V]], [[A]]
; CHECK-NEXT: [[B:%.*]] = bitcast double %a.tan to i64
; CHECK-NEXT: [[BOTH:%.*]] = or i64 [[M]], [[B]]
; CHECK-NEXT: %by.value.tan = bitcast i64 [[BOTH]] to double
; CHECK: %by.flag.tan = select i1 %c, double %by.value.tan, double 0
; CHECK: [[W:%.*]] = bitcast double %by.flag.tan to i64
; CHECK: [[HIGH:%.*]] = lshr i64 [[W]], 32
; CHECK: [[LOST:%.*]] = icmp ne i64 [[HIGH]], 0
; CHECK: [[LOW:%.*]] = trunc i64 [[W]] to i32
; CHECK: select i1 [[LOST]], i32 -1, i32 [[LOW]]
; CHECK: zext i32 {{.*}} to i64
declare double @llvm.floor.f64(double)
define double @caller(ptr %p, ptr %dp, double %x, double %dx, i1 %c) {
  %r = call double (...) @__isozyme_dependence(ptr @f, ptr @enzyme_dup, ptr %p, ptr %dp, ptr @enzyme_dup, double %x, double %dx, i1 %c)
  ret double %r
}
declare double @__isozyme_dependence(...)
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"root"}
