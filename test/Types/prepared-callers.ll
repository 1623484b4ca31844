; While a function is prepared to be differentiated, its clone is one of the callers of what it calls. It is called by
; whoever calls the function, so that it knows of the padding in their memory, too.
; RUN: %opt -passes=autodiff -isozyme-print-after=types -disable-output %s 2>&1 | FileCheck %s

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare double @__enzyme_autodiff(ptr, ...)

; CHECK-LABEL: types of @move.prepared
; CHECK: copy of 16 bytes at %from: every 16: {0..8 float double, 8..9 integer, 9..16 anything}
define internal void @move(ptr %to, ptr %from) noinline {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  ret void
}

define internal void @hands.on(ptr %to, ptr %from) noinline {
  call void @move(ptr %to, ptr %from)
  ret void
}

define internal double @starts(double %x) {
  %record = alloca [16 x i8], align 8
  %other = alloca [16 x i8], align 8
  store double %x, ptr %record
  %kind = getelementptr i8, ptr %record, i64 8
  store i8 1, ptr %kind, !tbaa !0
  call void @hands.on(ptr %other, ptr %record)
  %y = load double, ptr %other
  ret double %y
}

define double @derive(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @starts, double %x)
  ret double %d
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
