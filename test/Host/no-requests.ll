; A module without a request is left as it is.
; RUN: %opt %s -passes='autodiff,enzyme,isozyme,autodiff<no-cleanup>' -S | FileCheck %s
; RUN: not %opt %s -passes='autodiff<wrong>' -S 2>&1 | FileCheck %s --check-prefix=WRONG
; RUN: %opt %s -isozyme-keep=cache -isozyme-strong-zero=false -passes='default<O2>' -S | FileCheck %s

; WRONG: unknown pass name 'autodiff<wrong>'

; CHECK-LABEL: define double @square(
; CHECK: fmul double %x, %x
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
