; A function puts the rows of a matrix into a record of its own, and from there back to where they were. For callers
; that moves nothing: what lies beside the rows, addresses of numbers and of strides, is not mixed.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @sum.prepared
; CHECK: %numbers -> every 8: {0..8 float double}
; CHECK: %strides -> every 8: {0..8 integer}
define double @sum(ptr %matrix, i64 %k) "isozyme-request"="reverse(dup,const)->active" {
  call void @resized(ptr %matrix)
  %numbers = load ptr, ptr %matrix
  %at = getelementptr double, ptr %numbers, i64 %k
  %x = load double, ptr %at
  %second = getelementptr i8, ptr %matrix, i64 16
  %strides = load ptr, ptr %second
  %stride = getelementptr i64, ptr %strides, i64 %k
  %step = load i64, ptr %stride, !tbaa !0
  %next = getelementptr double, ptr %at, i64 %step
  %y = load double, ptr %next
  %xy = fmul double %x, %y
  ret double %xy
}

define void @resized(ptr %matrix) noinline {
  %shape = alloca { ptr, i64 }
  %from = getelementptr i8, ptr %matrix, i64 8
  %to = getelementptr i8, ptr %shape, i64 8
  %rows = load i64, ptr %from, !tbaa !0
  store i64 %rows, ptr %to, !tbaa !0
  %kept = load i64, ptr %to, !tbaa !0
  store i64 %kept, ptr %from, !tbaa !0
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2}
!2 = !{!"omnipotent char", !3}
!3 = !{!"root"}
