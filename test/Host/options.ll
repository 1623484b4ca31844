; Options come from the command line or from the environment; a wrong one is named.
; RUN: env ISOZYME_OPTIONS="-isozyme-keep=cache isozyme-verify-each" %opt %s -passes=autodiff -S | FileCheck %s
; RUN: env ISOZYME_OPTIONS=-isozyme-kept=cache %opt %s -passes=autodiff -S 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; RUN: not %opt %s -passes=autodiff -isozyme-keep=nothing -S 2>&1 | FileCheck %s --check-prefix=VALUE
; RUN: not %opt %s -passes=autodiff -isozyme-print-after=needs -S 2>&1 | FileCheck %s --check-prefix=STAGE
; RUN: env ISOZYME_OPTIONS=-isozyme-print-after=needs %opt %s -passes=autodiff -S 2>&1 | FileCheck %s --check-prefix=NOSTAGE
; RUN: not %opt %s -passes=autodiff -isozyme-explain-mode=sideways -S 2>&1 | FileCheck %s --check-prefix=MODE
; RUN: not %opt %s -passes=autodiff -isozyme-no-warn=IZ3 -S 2>&1 | FileCheck %s --check-prefix=NUMBER
; RUN: not %opt %s -passes=autodiff -isozyme-reproducer-for=203 -S 2>&1 | FileCheck %s --check-prefix=NUMBER
; RUN: env ISOZYME_OPTIONS=-isozyme-no-warn=IZ3 %opt %s -passes=autodiff -S 2>&1 | FileCheck %s --check-prefix=NONUMBER
; RUN: %opt %s -passes=autodiff -isozyme-print-after=plan -S 2>&1 | FileCheck %s --check-prefix=PLAN

; CHECK: ret double 4.0
; UNKNOWN: isozyme: warning: ISOZYME_OPTIONS: '-isozyme-kept=cache' is not an option of Isozyme, or has a value that the option does not take
; STAGE: 'needs' is no stage; it is prepared, types, activity, plan, steps, or one of the steps
; NOSTAGE: isozyme: warning: ISOZYME_OPTIONS: '-isozyme-print-after=needs' is not an option of Isozyme, or has a value that the option does not take
; MODE: 'sideways' is no mode; it is reverse or forward
; NUMBER: is no list of numbers such as IZ304,IZ305, and not 'all'
; NONUMBER: isozyme: warning: ISOZYME_OPTIONS: '-isozyme-no-warn=IZ3' is not an option of Isozyme, or has a value that the option does not take
; PLAN: square
; VALUE: Cannot find option named 'nothing'

declare double @__enzyme_autodiff(ptr, ...)

define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

define double @slope() {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @square, double 2.0)
  ret double %d
}
