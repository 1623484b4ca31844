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

; Branches around what is a multiple of zero are not taken, and neither are selects that the optimiser has
; made of some. Tests of the program stay.
; CHECK-LABEL: prepared function for @branches
; CHECK-NEXT: define
; CHECK-NEXT: entry:
; CHECK-NEXT: [[OWN:%.*]] = fcmp oeq double %t, 0
; CHECK-NEXT: %third = select i1 [[OWN]], double %c, double %t
; CHECK-NEXT: %p = fmul double %t, %c
; CHECK-NEXT: %a = fadd double %t, %c
; CHECK-NEXT: %d = fadd double %third, %p
define double @branches(double %t, double %c, i1 %b) "isozyme-request"="reverse(active,active,const)->active" {
entry:
  %marked = fcmp oeq double %c, 0.0, !isozyme.guard !0
  %turned = fcmp une double %c, 0.0, !isozyme.guard !0
  %own = fcmp oeq double %t, 0.0
  %first = select i1 %marked, double 1.0, double %t, !unpredictable !0
  %second = select i1 %turned, double %c, double 1.0, !unpredictable !0
  %third = select i1 %own, double %c, double %t, !unpredictable !0
  br i1 %own, label %behind, label %some, !isozyme.guard !0
some:
  %p = fmul double %t, %c
  br label %behind
behind:
  %last = phi double [ 1.0, %entry ], [ %p, %some ]
  %a = fadd double %first, %second
  %d = fadd double %third, %last
  %r = fadd double %a, %d
  ret double %r
}
!0 = !{}
