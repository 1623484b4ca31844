; What is a float behind one place that callers pass, and an integer or padding behind another, is as the function itself
; sees it, where it does: two members of one record are argument and shadow, and lie at different distances from its count.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @malloc(i64)
declare void @__enzyme_autodiff(...)

; A record: { double x[4], dx[4]; i32 count; double rest[3]; }
define void @run(ptr %records, i64 %which) {
  %record = getelementptr [96 x i8], ptr %records, i64 %which
  %dx = getelementptr i8, ptr %record, i64 32
  %at = getelementptr i8, ptr %record, i64 64
  %count = load i32, ptr %at, !tbaa !0
  %x0 = load double, ptr %record, !tbaa !5
  %dx0 = load double, ptr %dx, !tbaa !5
  %rest = getelementptr i8, ptr %record, i64 72
  %r0 = load double, ptr %rest, !tbaa !5
  %at1 = getelementptr i8, ptr %record, i64 80
  %r1 = load double, ptr %at1, !tbaa !5
  %at2 = getelementptr i8, ptr %record, i64 88
  %r2 = load double, ptr %at2, !tbaa !5
  %elements = mul i32 %count, 3
  %n = sext i32 %elements to i64
  call void (...) @__enzyme_autodiff(ptr @sees, ptr %record, ptr %dx, i64 %n, double 1.0, metadata !"enzyme_const", ptr null, metadata !"enzyme_const", ptr null)
  call void (...) @__enzyme_autodiff(ptr @only.copies, ptr %record, ptr %dx, ptr %record, ptr %dx, i64 %n)
  ret void
}

; CHECK-LABEL: types of @sees.prepared
; CHECK: %x -> every 8: {0..8 float double}
define double @sees(ptr %x, i64 %n, double %last.value, ptr %to, ptr %from) "isozyme-request"="reverse(dup,const,active,const,const)->active" {
entry:
  %bytes = shl i64 %n, 3
  %more.bytes = add i64 %bytes, 8
  %values = call ptr @malloc(i64 %more.bytes)
  %end = getelementptr i8, ptr %values, i64 %bytes
  store double %last.value, ptr %end
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false) ; callers are asked what this is
  %first = call ptr @malloc(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %first, ptr %x, i64 %bytes, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %values, ptr %first, i64 %bytes, i1 false)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %at = getelementptr double, ptr %values, i64 %i
  %value = load double, ptr %at
  %more = fadd double %sum, %value
  %next = add i64 %i, 1
  %last = icmp ugt i64 %next, %n
  br i1 %last, label %done, label %loop

done:
  ret double %more
}

; Nothing is seen here.
; CHECK-LABEL: types of @only.copies.prepared
; CHECK: %x -> every 96: {0..8 float double, 8..40 unknown, 40..64 float double, 64..72 unknown, 72..96 float double}
define void @only.copies(ptr %to, ptr %x, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
  %bytes = shl i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 %bytes, i1 false)
  ret void
}

!0 = !{!4, !1, i64 64}
!4 = !{!"record", !2, i64 0, !2, i64 32, !1, i64 64, !2, i64 72}
!1 = !{!"int", !2, i64 0}
!5 = !{!6, !6, i64 0}
!6 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
