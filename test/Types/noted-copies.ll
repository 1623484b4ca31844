; What a copy moves is noted where it is known, for derivatives of derivatives: less is done with the memory in the code of
; a derivative, which knows it from the note.
; RUN: %opt -passes=autodiff -S %s 2>&1 | FileCheck %s --implicit-check-not=error:

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @malloc(i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)

define double @known(ptr %x, i64 %n) {
  %bytes = mul i64 %n, 16
  %rows = call ptr @malloc(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %rows, ptr %x, i64 %bytes, i1 false)
  %row = getelementptr { double, i64 }, ptr %rows, i64 %n
  %value = load double, ptr %row
  %at = getelementptr i8, ptr %row, i64 8
  %count = load i64, ptr %at, !tbaa !0
  %number = sitofp i64 %count to double
  %y = fmul double %value, %number
  ret double %y
}

; Nothing else tells what is copied here.
define double @noted(ptr %rows, ptr %x, i64 %n) {
  %bytes = mul i64 %n, 16
  call void @llvm.memcpy.p0.p0.i64(ptr %rows, ptr %x, i64 %bytes, i1 false), !isozyme-moves !4
  %value = load double, ptr %rows
  %at = getelementptr i8, ptr %rows, i64 24
  %count = load i64, ptr %at, !tbaa !0
  %number = sitofp i64 %count to double
  %y = fmul double %value, %number
  ret double %y
}

; So are addresses: the length of a fill of a shadow may depend on whether that is the primal's memory.
define double @fills(ptr %x) {
  %row = load ptr, ptr %x
  %other = load ptr, ptr %row
  %y = load double, ptr %other
  %at = getelementptr i8, ptr %x, i64 8
  %second = load ptr, ptr %at
  %z = load double, ptr %second
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 16, i1 false)
  %sum = fadd double %y, %z
  ret double %sum
}

define void @calls.forward(ptr %x, ptr %dx) {
  call void (...) @__enzyme_fwddiff(ptr @fills, ptr %x, ptr %dx)
  ret void
}

define void @calls(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @known, ptr %x, ptr %dx, i64 %n)
  ret void
}

define void @calls.again(ptr %rows, ptr %drows, ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @noted, ptr %rows, ptr %drows, ptr %x, ptr %dx, i64 %n)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{i64 8, double 0.0, i64 8, i64 0}

; CHECK-LABEL: define void @calls.forward(
; CHECK: call void @llvm.memset{{.*}}, i64 16, {{.*}} !isozyme-moves ![[#FILL:]]
; CHECK: call void @llvm.memset{{.*}}(ptr {{.*}}%dx, {{.*}} !isozyme-moves ![[#FILL]]
; CHECK-LABEL: define void @calls(
; CHECK: call void @llvm.memcpy{{.*}} !isozyme-moves ![[#NOTE:]]
; CHECK-LABEL: define void @calls.again(
; CHECK-NOT: @__enzyme_autodiff
; CHECK-DAG: ![[#NOTE]] = !{i64 8, double 0.000000e+00, i64 8, i64 0}
; CHECK-DAG: ![[#FILL]] = !{i64 16, ptr null}
