; A word that is read only to be stored becomes a copy of memory where memory tells that it holds members of several types,
; a float among them: an integer has no adjoint of one of its halves.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: reverse(@moved
; CHECK: call @llvm.memmove.p0.p0.i64: copy  per 8 bytes: 4 of float, 4 of others
define float @moved(ptr %from, ptr %to) "isozyme-request"="reverse(dup,dup)->active" {
  %word = load i64, ptr %from, align 4
  store i64 %word, ptr %to, align 4
  %x = load float, ptr %to, !tbaa !0
  %behind = getelementptr i8, ptr %to, i64 4
  %n = load i32, ptr %behind, !tbaa !3
  %number = sitofp i32 %n to float
  %r = fmul float %x, %number
  ret float %r
}

; Where one of the members is used, too, it is loaded by itself.
; CHECK: reverse(@used
; CHECK: call @llvm.memmove.p0.p0.i64: copy  per 8 bytes: 4 of float, 4 of others
define float @used(ptr %from, ptr %to) "isozyme-request"="reverse(dup,dup)->active" {
  %word = load i64, ptr %from, align 4
  store i64 %word, ptr %to, align 4
  %x = load float, ptr %to, !tbaa !0
  %behind = getelementptr i8, ptr %from, i64 4
  %n = load i32, ptr %behind, !tbaa !3
  %number = sitofp i32 %n to float
  %high = lshr i64 %word, 32
  %m = trunc i64 %high to i32
  %other = sitofp i32 %m to float
  %sum = fadd float %number, %other
  %r = fmul float %x, %sum
  ret float %r
}

!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2, i64 0}
!2 = !{!"omnipotent char", !5, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !2, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
