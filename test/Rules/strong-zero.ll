; A zero derivative stays zero where the partial may be infinite: log gets a guard, sin gets none.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s
; RUN: %opt -passes=autodiff -isozyme-strong-zero=0 -S %s | FileCheck %s --check-prefix=OFF

; CHECK-LABEL: define double @dlog(
; CHECK:       %[[I:.*]] = fdiv double 1.000000e+00, %x
; CHECK:       %[[D:.*]] = fmul double %dx, %[[I]]
; CHECK:       %[[Z:.*]] = fcmp oeq double %dx, 0.000000e+00
; CHECK:       select i1 %[[Z]], double 0.000000e+00, double %[[D]]
; OFF-LABEL:   define double @dlog(
; OFF-NOT:     select
; OFF:         ret double
define double @dlog(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dsin(
; CHECK-NOT:   select
; CHECK:       ret double
define double @dsin(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @g, double %x, double %dx)
  ret double %d
}

define double @f(double %x) {
  %y = call double @log(double %x)
  ret double %y
}

define double @g(double %x) {
  %y = call double @sin(double %x)
  ret double %y
}

; A factor that a long sum of finite numbers makes needs no guard. With a quotient at its start it does.
; CHECK-LABEL: define double @dLongSum(
; CHECK-NOT:   select
; CHECK:       ret double
define double @dLongSum(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @longSum, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

; CHECK-LABEL: define double @dQuotientFirst(
; CHECK:       select
; CHECK:       ret double
define double @dQuotientFirst(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @quotientFirst, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

define double @longSum(double %x, double %y) {
  %s = fmul double %y, %y
  %a0 = fadd double %s, %y
  %a1 = fadd double %a0, %y
  %a2 = fadd double %a1, %y
  %a3 = fadd double %a2, %y
  %a4 = fadd double %a3, %y
  %a5 = fadd double %a4, %y
  %a6 = fadd double %a5, %y
  %a7 = fadd double %a6, %y
  %a8 = fadd double %a7, %y
  %a9 = fadd double %a8, %y
  %r = fmul double %a9, %x
  ret double %r
}

define double @quotientFirst(double %x, double %y) {
  %s = fdiv double 1.0, %y
  %a0 = fadd double %s, %y
  %a1 = fadd double %a0, %y
  %a2 = fadd double %a1, %y
  %a3 = fadd double %a2, %y
  %a4 = fadd double %a3, %y
  %a5 = fadd double %a4, %y
  %a6 = fadd double %a5, %y
  %a7 = fadd double %a6, %y
  %a8 = fadd double %a7, %y
  %a9 = fadd double %a8, %y
  %r = fmul double %a9, %x
  ret double %r
}

; A sum of squares and of a positive constant is no less than the constant; one without may be zero,
; and a subnormal constant would still let the quotient overflow.
; CHECK-LABEL: define double @dSoftened(
; CHECK-NOT:   select
; CHECK:       ret double
define double @dSoftened(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @softened, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

; CHECK-LABEL: define double @dSquares(
; CHECK:       select
; CHECK:       ret double
define double @dSquares(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @squares, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

; CHECK-LABEL: define double @dTiny(
; CHECK:       select
; CHECK:       ret double
define double @dTiny(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @tiny, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

; CHECK-LABEL: define double @dSigned(
; CHECK:       select
; CHECK:       ret double
define double @dSigned(double %x, double %y, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @signed, double %x, double %dx, metadata !"enzyme_const", double %y)
  ret double %d
}

define double @softened(double %x, double %y) {
  %a = fmul double %y, %y
  %b = call double @llvm.fmuladd.f64(double %x, double %x, double %a)
  %c = fadd double %b, 0.05
  %p = fmul double %c, %c
  %r = fdiv double 1.0, %p
  ret double %r
}

define double @squares(double %x, double %y) {
  %a = fmul double %y, %y
  %b = call double @llvm.fmuladd.f64(double %x, double %x, double %a)
  %r = fdiv double 1.0, %b
  ret double %r
}

define double @tiny(double %x, double %y) {
  %a = fmul double %x, %x
  %b = fadd double %a, 0x0008000000000000
  %r = fdiv double 1.0, %b
  ret double %r
}

define double @signed(double %x, double %y) {
  %a = fmul double %x, %y
  %b = fadd double %a, 0.05
  %r = fdiv double 1.0, %b
  ret double %r
}

declare double @llvm.fmuladd.f64(double, double, double)
declare double @log(double)
declare double @sin(double)
declare double @__enzyme_fwddiff(...)

; What a branch says of a number counts: a root of what is not zero, and what is larger than a number, need no
; guard. Of what is not zero, but may be subnormal, the inverse may overflow: it is divided by as it is.
; CHECK-LABEL: define double @dCheckedRoot(
; CHECK-NOT:   is.zero
; CHECK:       ret double
define double @dCheckedRoot(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @checkedRoot, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dAwayFromZero(
; CHECK-NOT:   is.zero
; CHECK-NOT:   is.not.zero
; CHECK:       ret double
define double @dAwayFromZero(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @awayFromZero, double %x, double %dx)
  ret double %d
}

; CHECK-LABEL: define double @dNotZero(
; CHECK-NOT:   is.zero
; CHECK:       fdiv double %dx, %x
; CHECK:       ret double
define double @dNotZero(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @notZero, double %x, double %dx)
  ret double %d
}

; The check is of another number, or on the other side.
; CHECK-LABEL: define double @dOtherSide(
; CHECK:       is.zero
; CHECK:       ret double
define double @dOtherSide(double %x, double %dx) {
  %d = call double (...) @__enzyme_fwddiff(ptr @otherSide, double %x, double %dx)
  ret double %d
}

define double @checkedRoot(double %x) {
  %s = fmul double %x, %x
  %c = fcmp oeq double %s, 0.0
  br i1 %c, label %end, label %on
on:
  %r = call double @llvm.sqrt.f64(double %s)
  %y = call double @sin(double %x)
  %q = fdiv double %y, %r
  br label %end
end:
  %v = phi double [ %x, %0 ], [ %q, %on ]
  ret double %v
}

define double @awayFromZero(double %x) {
  %m = call double @llvm.fabs.f64(double %x)
  %c = fcmp olt double %m, 1.0e-8
  br i1 %c, label %end, label %on
on:
  %y = call double @sin(double %x)
  %q = fdiv double %y, %x
  br label %end
end:
  %v = phi double [ 1.0, %0 ], [ %q, %on ]
  ret double %v
}

define double @notZero(double %x) {
  %c = fcmp une double %x, 0.0
  br i1 %c, label %on, label %end
on:
  %y = call double @sin(double %x)
  %q = fdiv double %y, %x
  br label %end
end:
  %v = phi double [ 1.0, %0 ], [ %q, %on ]
  ret double %v
}

define double @otherSide(double %x) {
  %m = call double @llvm.fabs.f64(double %x)
  %c = fcmp ogt double %m, 1.0e-8
  br i1 %c, label %end, label %on
on:
  %y = call double @sin(double %x)
  %q = fdiv double %y, %x
  br label %end
end:
  %v = phi double [ 1.0, %0 ], [ %q, %on ]
  ret double %v
}

declare double @llvm.sqrt.f64(double)
declare double @llvm.fabs.f64(double)
