; Where two ways met, the reverse sweep takes the one that was taken, by the same condition, and
; the adjoint of the phi goes to the value that came that way.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %a = fmul double %x, %x
  br label %join
right:
  %b = fmul double %x, 3.0
  br label %join
join:
  %r = phi double [ %a, %left ], [ %b, %right ]
  ret double %r
}
@enzyme_const = external global i32
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x, i1 %c) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr @enzyme_const, i1 %c)
  ret double %g
}

; CHECK:      rev.join:
; CHECK-NEXT:   br i1 %c, label %rev.join.to.left, label %rev.join.to.right
; CHECK:      rev.left:
; CHECK:        [[L:%.*]] = fadd reassoc nsz contract double
; CHECK:      rev.right:
; CHECK-NEXT:   [[R:%.*]] = fmul reassoc nsz contract double %seed, 3.000000e+00
; CHECK:      rev.entry:
; CHECK-NEXT:   phi double [ [[R]], %rev.right.to.entry ], [ [[L]], %rev.left.to.entry ]
