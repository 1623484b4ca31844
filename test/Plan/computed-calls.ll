; The derivative of sin is cos: where the program computes both of one number, the derivative calls neither. In reverse
; mode both may be in one block; in forward mode only what comes before is there. Not where another way leads to the
; derivative, nor where the other function ran in a loop of its own.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=autodiff -S %s | FileCheck --check-prefix=CODE %s

declare double @sin(double)
declare double @cos(double)
declare double @log(double)
declare double @pow(double, double)
declare float @cosf(float)

; CHECK-LABEL: derivative plan for reverse(@both: active double) -> active, width 1
; CHECK:         %c primal  for %s  available
; CHECK-NEXT:    %s primal  for %c  available
; CHECK-NOT:     %x primal
; CHECK:         %s = call @sin: rule  cos is %c
; CHECK-NEXT:    %c = call @cos: rule  sin is %s
define double @both(double %x) "isozyme-request"="reverse(active)->active" {
  %s = call double @sin(double %x)
  %c = call double @cos(double %x)
  %p = fmul double %s, %c
  ret double %p
}

; CHECK-LABEL: derivative plan for forward(@ahead: dup double) -> dup, width 2
; CHECK-NOT:     %s = call
; CHECK:         %c = call @cos: rule  sin is %s
define double @ahead(double %x) "isozyme-request"="forward(dup)->dup, width 2" {
  %s = call double @sin(double %x)
  %c = call double @cos(double %x)
  %p = fmul double %s, %c
  ret double %p
}

; CHECK-LABEL: derivative plan for reverse(@power: active double, active double) -> active, width 1
; CHECK:         %p = call @pow: rule{{.*}}  log is %l
define double @power(double %x, double %y) "isozyme-request"="reverse(active,active)->active" {
  %l = call double @log(double %x)
  %p = call double @pow(double %x, double %y)
  %r = fmul double %l, %p
  ret double %r
}

; CHECK-LABEL: derivative plan for reverse(@somewhere: active double, const i1) -> active, width 1
; CHECK-NOT:     cos is
define double @somewhere(double %x, i1 %b) "isozyme-request"="reverse(active,const)->active" {
  %s = call double @sin(double %x)
  br i1 %b, label %more, label %end
more:
  %c = call double @cos(double %x)
  br label %end
end:
  %r = phi double [ %s, %0 ], [ %c, %more ]
  ret double %r
}

; CHECK-LABEL: derivative plan for reverse(@inLoop: active double, const i64) -> active, width 1
; CHECK-NOT:     cos is
define double @inLoop(double %x, i64 %n) "isozyme-request"="reverse(active,const)->active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 1.0, %entry ], [ %q, %loop ]
  %c = call double @cos(double %x)
  %q = fmul double %r, %c
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  %s = call double @sin(double %x)
  %p = fmul double %s, %q
  ret double %p
}

; CHECK-LABEL: derivative plan for reverse(@twoTypes: active double) -> active, width 1
; CHECK-NOT:     cos is
define double @twoTypes(double %x) "isozyme-request"="reverse(active)->active" {
  %s = call double @sin(double %x)
  %f = fptrunc double %x to float
  %c = call float @cosf(float %f)
  %w = fpext float %c to double
  %p = fmul double %s, %w
  ret double %p
}

; The derivative of a turn: one call of each.
; CHECK-LABEL: derivative plan for reverse(@turn: active double) -> active, width 1
; CODE-LABEL: define double @slope(
; CODE-COUNT-1: call double @sin(
; CODE-COUNT-1: call double @cos(
; CODE-NOT:     call double @{{sin|cos}}(
; CODE:         ret double
define double @slope(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @turn, double %x)
  ret double %r
}
define internal double @turn(double %x) {
  %s = call double @sin(double %x)
  %c = call double @cos(double %x)
  %p = fmul double %s, %c
  ret double %p
}
declare double @__enzyme_autodiff(...)
