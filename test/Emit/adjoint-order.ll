; The shares of an adjoint are added in any order, so that the reverse of a loop over two arrays, an
; inner product, is vectorised; as in the source if that is asked for. Products keep their flags.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=ANY
; RUN: %opt -passes=autodiff -isozyme-adjoint-order=source -S %s | FileCheck %s --check-prefix=SOURCE
; RUN: env ISOZYME_OPTIONS=isozyme-adjoint-order=source %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=SOURCE
; RUN: %opt -mtriple=x86_64-linux-gnu -passes='autodiff,default<O2>' -S %s | FileCheck %s --check-prefix=WIDE

; ANY-LABEL: define double @slope
; ANY:       rev.loop
; ANY:         fmul double
; ANY:         fadd reassoc nsz contract double
; SOURCE-LABEL: define double @slope
; SOURCE:       rev.loop
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
