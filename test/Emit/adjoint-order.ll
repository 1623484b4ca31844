; The shares of an adjoint are added in any order, so that the reverse of a loop over two arrays, an
; inner product, is vectorised, and its factors are multiplied in any order; as in the source if that is asked for.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=ANY
; RUN: %opt -passes=autodiff -isozyme-adjoint-order=source -S %s | FileCheck %s --check-prefix=SOURCE
; RUN: env ISOZYME_OPTIONS=isozyme-adjoint-order=source %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=SOURCE
; RUN: %opt -mtriple=x86_64-linux-gnu -passes='autodiff,default<O2>' -S %s | FileCheck %s --check-prefixes=WIDE,FACTOR

; ANY-LABEL: define double @slope
; ANY:       rev.loop
; ANY:         fmul reassoc nsz contract double
; ANY:         fadd reassoc nsz contract double
; SOURCE-LABEL: define double @slope
; SOURCE:       rev.loop
; SOURCE:         fmul double
; SOURCE:         fadd nsz double
; WIDE-LABEL: define double @slope
; WIDE:         fadd reassoc nsz contract <2 x double>
define internal void @scale(double %a, ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %from
  %w = fmul double %v, %a
  %to = getelementptr double, ptr %y, i64 %i
  store double %w, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
@enzyme_const = external global i32
declare double @__enzyme_autodiff(ptr, ...)
define double @slope(double %a, ptr %x, ptr %y, ptr %dy, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @scale, double %a, ptr @enzyme_const, ptr %x, ptr %y, ptr %dy, i64 %n)
  ret double %d
}

; 0.5 x^2 + x: the share of x is 1 + x times what comes in, and no product of x and 0.5 is left.
; FACTOR-LABEL: define double @slopeOfPotential
; FACTOR:       %[[SUM:.*]] = fadd {{.*}}double %x, 1.000000e+00
; FACTOR-NOT:   fadd
; FACTOR:       ret double %[[SUM]]
define internal double @potential(double %x) {
  %half = fmul double %x, 0.5
  %square = fmul double %half, %x
  %y = fadd double %square, %x
  ret double %y
}
define double @slopeOfPotential(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @potential, double %x)
  ret double %d
}
