; A count in front of an array, or behind it: as far as the index is known, it may be an element. Where the source
; names it an integer, and floats are there only as elements by an index, it is none.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"

; struct { int n; float data[]; }: clang gives no record in the tags.
; CHECK-LABEL: types of @front
; CHECK: %p -> starts with {0..4 integer, 4..{{.*}} float float}
; CHECK-NOT: %n: float
define float @front(ptr %p, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  %n = load i32, ptr %p, !tbaa !1
  %twice = add nsw i32 %n, 2
  store i32 %twice, ptr %p, !tbaa !1
  %data = getelementptr i8, ptr %p, i64 4
  %e = getelementptr float, ptr %data, i64 %i
  %x = load float, ptr %e, !tbaa !4
  %y = fmul float %x, %x
  store float %y, ptr %e, !tbaa !4
  ret float %x
}

; Floats are copied to where the integer is: its name is that of what they are copied to.
; CHECK-LABEL: types of @copied
; CHECK: %n: float float
define float @copied(ptr %p, ptr %q, i64 %i) "isozyme-request"="reverse(dup,dup,const)->active" {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 64, i1 false)
  %n = load i32, ptr %q, !tbaa !1
  %bits = and i32 %n, 2147483647
  store i32 %bits, ptr %q, !tbaa !1
  %e = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %e, !tbaa !4
  %y = fmul float %x, %x
  store float %y, ptr %e, !tbaa !4
  ret float %x
}

; In an array of the function's own, LLVM reads what the source copies to integers first.
; CHECK-LABEL: types of @own
; CHECK: %n: float float
define float @own(i64 %i, float %v) "isozyme-request"="reverse(const,active)->active" {
  %a = alloca [16 x float]
  %e = getelementptr float, ptr %a, i64 %i
  store float %v, ptr %e, !tbaa !4
  %n = load i32, ptr %a, !tbaa !1
  %bits = and i32 %n, 2147483647
  store i32 %bits, ptr %a, !tbaa !1
  %x = load float, ptr %e, !tbaa !4
  ret float %x
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3, i64 0}
!3 = !{!"omnipotent char", !6, i64 0}
!4 = !{!5, !5, i64 0}
!5 = !{!"float", !3, i64 0}
!6 = !{!"Simple C/C++ TBAA"}
