; Arithmetic on the bits of a float that is not affine in them: an error with its place, and no
; derivative is left behind.
; RUN: not %opt -passes='autodiff<no-cleanup>' -S %s 2>&1 | FileCheck %s

define double @f(ptr %p) {
  %bits = load i64, ptr %p, align 8, !tbaa !0
  %more = mul i64 %bits, %bits
  %y = bitcast i64 %more to double
  ret double %y
}
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"omnipotent char", !3}
!3 = !{!"Simple C/C++ TBAA"}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %p, ptr %dp)
  ret double %r
}
; CHECK: error: {{.*}}no derivative is known for 'mul' on differentiated data; {{.*}} [IZ202]
; CHECK-NOT: define internal
