; In a loop that only computes, the tangents of all lanes are one vector; what they have in common is put into each element, and
; scalars are extracted for users elsewhere.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
define double @limited(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 1.0, %entry ], [ %s, %loop ]
  %p = fmul double %r, %x
  %low = fcmp olt double %p, 4.0
  %s = select i1 %low, double %p, double %r
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  %half = fmul double %s, 5.0e-1
  ret double %half
}
; CHECK: define internal { [2 x double] } @{{.*}}(double %x, double %x.tan, double %x.tan1, i64 %n)
; CHECK:   %r.tans = phi <2 x double> [ zeroinitializer, %entry ], [ %s.tans, %loop ]
; CHECK:   [[X:%.*]] = shufflevector {{.*}} zeroinitializer
; CHECK:   [[A:%.*]] = fmul reassoc nsz contract <2 x double> %r.tans, [[X]]
; CHECK:   [[T:%.*]] = insertelement <2 x double> {{.*}}, double %x.tan1, i64 1
; CHECK:   [[R:%.*]] = shufflevector {{.*}} zeroinitializer
; CHECK:   [[B:%.*]] = fmul reassoc nsz contract <2 x double> [[T]], [[R]]
; CHECK:   %p.tans = fadd contract <2 x double> [[A]], [[B]]
; CHECK:   %s.tans = select i1 %low, <2 x double> %p.tans, <2 x double> %r.tans
; CHECK:   %s.tan = extractelement <2 x double> %s.tans, i64 0
; CHECK:   %s.tan{{[0-9]+}} = extractelement <2 x double> %s.tans, i64 1
; CHECK: exit:
; CHECK:   fmul reassoc nsz contract double %s.tan, 5.000000e-01

@enzyme_width = external global i32
%pair = type { double, double }
declare %pair @__enzyme_fwddiff_two(ptr, ...)
define %pair @caller(double %x, i64 %n) {
  %r = call %pair (ptr, ...) @__enzyme_fwddiff_two(ptr @limited, ptr @enzyme_width, i32 2, double %x, double 1.0, double 2.0, i64 %n)
  ret %pair %r
}
