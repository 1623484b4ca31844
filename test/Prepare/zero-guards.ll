; Selects that keep a derivative of zero zero: where that is differentiated, they choose the constant only if
; the product is not a number. Selects of the program stay.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: prepared function for @guards
; CHECK: [[ZERO:%.*]] = fcmp oeq double %t, 0
; CHECK: [[P:%.*]] = fmul double %t, %c
; CHECK: [[NAN:%.*]] = fcmp uno double [[P]], [[P]]
; CHECK: [[BOTH:%.*]] = and i1 [[ZERO]], [[NAN]]
; CHECK: select i1 [[BOTH]], double 0.000000e+00, double [[P]]
; CHECK: [[NOT:%.*]] = fcmp une double %t, 0
; CHECK: [[ORD:%.*]] = fcmp ord double [[P]], [[P]]
; CHECK: [[ANY:%.*]] = or i1 [[NOT]], [[ORD]]
; CHECK: select i1 [[ANY]], double [[P]], double 0.000000e+00
; CHECK: select i1 [[ZERO]], double 0.000000e+00, double [[P]]
; CHECK: select i1 %b, double 0.000000e+00, double [[P]]
define double @guards(double %t, double %c, i1 %b) "isozyme-request"="reverse(active,active,const)->active" {
  %zero = fcmp oeq double %t, 0.0
  %p = fmul double %t, %c
  %strong = select i1 %zero, double 0.0, double %p, !unpredictable !0, !isozyme.guard !0
  %not = fcmp une double %t, 0.0
  %again = select i1 %not, double %p, double 0.0, !unpredictable !0, !isozyme.guard !0
  %own = select i1 %zero, double 0.0, double %p, !unpredictable !0
  %other = select i1 %b, double 0.0, double %p, !isozyme.guard !0
  %a = fadd double %strong, %again
  %d = fadd double %own, %other
  %r = fadd double %a, %d
  ret double %r
}
!0 = !{}
