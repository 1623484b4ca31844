; A float of which nothing but the bits is read is loaded as an integer by the optimiser. Where types
; show that it is a float, it is loaded as one, and what its bits make has its derivative. An integer
; in memory stays one.
; RUN: %opt -passes=autodiff -isozyme-print-after=prepared -disable-output %s 2>&1 | FileCheck %s

@enzyme_const = external global i32
declare double @__enzyme_autodiff(ptr, ...)

; CHECK-LABEL: prepared function for @exponentOff
; CHECK:       %b.float = load double, ptr %x, align 8, !tbaa
; CHECK-NEXT:  %b = bitcast double %b.float to i64
; CHECK:       %bits = sub i64 %b, %top
; CHECK-NEXT:  [[Z:%.*]] = bitcast i64 %bits to double
; CHECK:       [[S:%.*]] = call double @isozyme.stand.in.double(double 0.000000e+00, double {{%.*}})
; CHECK:       [[D:%.*]] = fmul double %b.float, [[S]]
; CHECK:       %z = call double @isozyme.stand.in.double(double [[D]], double [[Z]])
define double @exponentOff(ptr %x) {
  %b = load i64, ptr %x, align 8, !tbaa !0
  %above = add i64 %b, -4604367669032910848
  %top = and i64 %above, -4503599627370496
  %bits = sub i64 %b, %top
  %z = bitcast i64 %bits to double
  ret double %z
}

; CHECK-LABEL: prepared function for @random
; CHECK:       %b = load i64, ptr %state, align 8, !tbaa
; CHECK-NOT:   stand.in
; CHECK:       ret double
define double @random(ptr %state, double %x) {
  %b = load i64, ptr %state, align 8, !tbaa !3
  %r = lshr i64 %b, 12
  %one = or i64 %r, 4607182418800017408
  %z = bitcast i64 %one to double
  %y = fmul double %z, %x
  ret double %y
}

define double @both(ptr %x, ptr %dx, ptr %state, ptr %dstate) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @exponentOff, ptr %x, ptr %dx)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @random, ptr %state, ptr %dstate, double 2.0)
  %s = fadd double %a, %b
  ret double %s
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"omnipotent char", !5}
!3 = !{!4, !4, i64 0}
!4 = !{!"long", !2}
!5 = !{!"Simple C/C++ TBAA"}
