; Flang's alias metadata tells variables and arguments apart, not what type they have. Where inlining had joined two
; accesses to doubles and left them without any, they were taken for something else that moves as a double, and what is
; stated of the same memory did not count any more.
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-print-after=types -disable-output %s 2>&1 | FileCheck %s
; CHECK: types of @copy_elements.prepared
; CHECK-NEXT: %to -> every 8: {0..8 float double}
; CHECK-NEXT: %from -> every 8: {0..8 float double}
; CHECK-NOT: error:
define double @of_section(ptr %x, i64 %n) {
  %copy = alloca { ptr, i64 }, align 8
  %section = alloca { ptr, i64 }, align 8
  %data = load ptr, ptr %x, align 8
  %distance = getelementptr i8, ptr %x, i64 8
  %stride = load i64, ptr %distance, align 8
  %to_fourth = mul i64 %stride, 3
  %fourth = getelementptr i8, ptr %data, i64 %to_fourth
  store ptr %fourth, ptr %section, align 8
  call void @copy_in(ptr %copy, ptr %section, i64 %n)
  %elements = load ptr, ptr %copy, align 8
  %first = load double, ptr %elements, align 8
  ret double %first
}

define void @copy_in(ptr %to, ptr %from, i64 %n) noinline {
  %new = call ptr @malloc(i64 32)
  store ptr %new, ptr %to, align 8
  %old = load ptr, ptr %from, align 8
  call void @copy_elements(ptr %new, ptr %old, i1 false, i64 %n)
  ret void
}

define void @copy_elements(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %to, ptr %from, i1 %all, i64 %n) noinline {
  br i1 %all, label %whole, label %one
whole:
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  ret void
one:
  %element = load double, ptr %from, align 8
  store double %element, ptr %to, align 8
  ret void
}

define void @main(i64 %i, ptr %dx) {
  %x = alloca { ptr, i64 }, align 8
  %a = alloca [4 x double], align 8
  %b = alloca [4 x double], align 8
  store ptr %b, ptr %x, align 8
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @of_section, metadata !"enzyme_dup", ptr %x, ptr %dx, metadata !"enzyme_const", i64 %i)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 32, i1 false)
  %moved = getelementptr double, ptr %a, i64 %i
  %more = load double, ptr %moved, align 8
  %size = getelementptr i8, ptr %x, i64 8
  store i64 0, ptr %size, align 8, !tbaa !0
  ret void
}

declare double @__enzyme_autodiff(ptr, ...)
declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{!1, !1, i64 0}
!1 = !{!"descriptor member", !2, i64 0}
!2 = !{!"any access", !3, i64 0}
!3 = !{!"Flang function root _QQmain"}
