; Records are copied member by member, and SROA moves what lies between them as an integer.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @moved.prepared
; CHECK-NOT: %gap: unknown
%Record = type { double, i32, double }
define void @moved(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->const" {
  %v = load double, ptr %from, align 8, !tbaa !6
  store double %v, ptr %to, align 8, !tbaa !6
  %from.gap = getelementptr i8, ptr %from, i64 12
  %gap = load i32, ptr %from.gap, align 4
  %to.gap = getelementptr i8, ptr %to, i64 12
  store i32 %gap, ptr %to.gap, align 4
  ret void
}

; The same, and it ends up where nothing is known.
; CHECK-LABEL: types of @elsewhere.prepared
; CHECK: %gap: unknown
define void @elsewhere(ptr %to, ptr %from) "isozyme-request"="reverse(dup,dup)->const" {
  %v = load double, ptr %from, align 8, !tbaa !6
  store double %v, ptr %to, align 8, !tbaa !6
  %from.gap = getelementptr i8, ptr %from, i64 12
  %gap = load i32, ptr %from.gap, align 4
  %beyond = getelementptr i8, ptr %to, i64 40
  store i32 %gap, ptr %beyond, align 4
  ret void
}

; A char that is a member of a record, and only gets a value.
; CHECK-LABEL: types of @member.prepared
; CHECK: %m -> starts with {0..1 integer, 1..8 unknown, 8..16 float double}
define double @member(ptr %m) "isozyme-request"="reverse(dup)->active" {
  store i8 1, ptr %m, align 8, !tbaa !8
  %at.d = getelementptr i8, ptr %m, i64 8
  %d = load double, ptr %at.d, align 8
  ret double %d
}

; An array of chars may hold anything.
; CHECK-LABEL: types of @bytes.prepared
; CHECK-NOT: integer
define double @bytes(ptr %m) "isozyme-request"="reverse(dup)->active" {
  store i8 1, ptr %m, align 8, !tbaa !9
  %at.d = getelementptr i8, ptr %m, i64 8
  %d = load double, ptr %at.d, align 8
  ret double %d
}
!0 = !{!"Simple C/C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"double", !1, i64 0}
!3 = !{!"int", !1, i64 0}
!4 = !{!"record", !2, i64 0, !3, i64 8, !2, i64 16}
!5 = !{!"mix", !1, i64 0, !2, i64 8}
!6 = !{!4, !2, i64 0}
!8 = !{!5, !1, i64 0}
!9 = !{!1, !1, i64 0}
