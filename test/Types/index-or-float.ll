; A member of a union is an index, and the same bytes are moved on where they are a float: by its index, the value that is
; loaded once for both would be a number, and the derivative of the float would be lost.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @step
; CHECK: %bits: unknown
define internal double @step(ptr %v, ptr %table, ptr %out) "isozyme-request"="reverse(dup,dup,dup)->active" {
entry:
  %tag = load i64, ptr %v, !tbaa !4
  %at = getelementptr inbounds nuw i8, ptr %v, i64 8
  %bits = load i64, ptr %at, !tbaa !5
  %indexes = icmp eq i64 %tag, 1
  br i1 %indexes, label %look, label %move
look:
  %element = getelementptr inbounds double, ptr %table, i64 %bits
  %x = load double, ptr %element, !tbaa !6
  ret double %x
move:
  store i64 %tag, ptr %out, !tbaa !4
  %to = getelementptr inbounds nuw i8, ptr %out, i64 8
  store i64 %bits, ptr %to, !tbaa !5
  ret double 0.0
}

define double @f(ptr %v, ptr %table) {
  %out = alloca { i64, double }
  store i64 0, ptr %out, !tbaa !4
  %d = getelementptr inbounds nuw i8, ptr %out, i64 8
  store double 0.0, ptr %d, !tbaa !5
  %r = call double @step(ptr %v, ptr %table, ptr %out)
  %y = load double, ptr %d, !tbaa !5
  %square = fmul double %y, %y
  %sum = fadd double %r, %square
  ret double %sum
}

!0 = !{!"root"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"long", !1, i64 0}
!3 = !{!"val", !2, i64 0, !1, i64 8}
!4 = !{!3, !2, i64 0}
!5 = !{!1, !1, i64 0}
!6 = !{!7, !7, i64 0}
!7 = !{!"double", !1, i64 0}
