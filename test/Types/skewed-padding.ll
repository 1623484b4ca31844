; Where objects lie displaced by whole elements, bytes that nobody tells of are padding in all of them, in memory that
; the function makes. Where the displacement is not known, they may be what another object has there.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @elements.prepared
; CHECK: %p -> every 16: {0..8 float double, 8..9 integer, 9..16 anything}
define double @elements(ptr %x, i64 %n, i1 %first) "isozyme-request"="reverse(dup,const,const)->active" {
  %a = call ptr @malloc(i64 160)
  %b = call ptr @malloc(i64 160)
  %end = getelementptr [16 x i8], ptr %b, i64 %n
  %p = select i1 %first, ptr %a, ptr %end
  %kind = getelementptr i8, ptr %p, i64 8
  %v = load double, ptr %x
  store double %v, ptr %p
  store i8 1, ptr %kind, !tbaa !1
  %to = getelementptr i8, ptr %p, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %p, i64 16, i1 false)
  %r = load double, ptr %to
  %is = load i8, ptr %kind, !tbaa !1
  %c = sitofp i8 %is to double
  %rc = fmul double %r, %c
  ret double %rc
}

; CHECK-LABEL: types of @bytes.prepared
; CHECK: %p -> unknown
define double @bytes(ptr %x, i64 %n, i1 %first) "isozyme-request"="reverse(dup,const,const)->active" {
  %a = call ptr @malloc(i64 160)
  %b = call ptr @malloc(i64 160)
  %end = getelementptr i8, ptr %b, i64 %n
  %p = select i1 %first, ptr %a, ptr %end
  %kind = getelementptr i8, ptr %a, i64 8
  %v = load double, ptr %x
  store double %v, ptr %a
  store i8 1, ptr %kind, !tbaa !1
  %to = getelementptr i8, ptr %p, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %p, i64 16, i1 false)
  %r = load double, ptr %to
  %is = load i8, ptr %kind, !tbaa !1
  %c = sitofp i8 %is to double
  %rc = fmul double %r, %c
  ret double %rc
}
declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!1 = !{!2, !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
