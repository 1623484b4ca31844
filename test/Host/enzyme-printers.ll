; Passes of Enzyme's that print are those of Isozyme's, and say so; an option names the function.
; RUN: %opt %s -passes=print-type-analysis -disable-output 2>&1 | FileCheck %s --check-prefix=TYPES
; RUN: %opt %s -passes=print-type-analysis -type-analysis-func=other -disable-output 2>&1 | FileCheck %s --check-prefix=OTHER
; RUN: %opt %s -passes=print-activity-analysis -activity-analysis-func=other -disable-output 2>&1 | FileCheck %s --check-prefix=ACTIVITY
; RUN: %opt %s -passes=print-activity-analysis -activity-analysis-func=none -disable-output 2>&1 | FileCheck %s --check-prefix=NONE

; TYPES: isozyme: remark: 'print-type-analysis' is 'print<isozyme-types>' here
; TYPES: types of @square
; TYPES-NOT: other
; OTHER: remark
; OTHER-NOT: @square
; OTHER: types of @other
; OTHER-NOT: @square
; ACTIVITY: isozyme: remark: 'print-activity-analysis' is 'print<isozyme-activity>' here
; ACTIVITY-NOT: @square
; ACTIVITY: reverse(@other: active double) -> active
; NONE: remark
; NONE-NOT: @

declare double @__enzyme_autodiff(ptr, ...)
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @other(double %x) {
  %y = fneg double %x
  ret double %y
}
define double @slope(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %d
}
