; Which size of a record is read is only known when the program runs. By its address alone it may be one of the
; addresses behind the sizes, which the source names addresses: it is a number all the same.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s --implicit-check-not='%size:'

; CHECK-LABEL: types of @sum.prepared
; CHECK: %record -> starts with {0..16 integer}
; CHECK: %sizes -> starts with {0..16 integer}
define double @sum(ptr %record, ptr %numbers, i32 %which) "isozyme-request"="reverse(dup,dup,const)->active" {
  %behind = getelementptr i8, ptr %record, i64 24
  store ptr %numbers, ptr %behind, !tbaa !2
  %sizes = getelementptr i8, ptr %record, i64 8
  %k = sext i32 %which to i64
  %at = getelementptr nuw i64, ptr %sizes, i64 %k
  %size = load i64, ptr %at, !tbaa !0
  store i64 %size, ptr %record, !tbaa !1
  %x = load double, ptr %numbers
  ret double %x
}

!0 = !{!5, !5, i64 0}
!1 = !{!4, !5, i64 0}
!2 = !{!4, !6, i64 24}
!4 = !{!"record", !5, i64 0, !9, i64 8, !6, i64 24}
!5 = !{!"long", !7}
!6 = !{!"any pointer", !7}
!7 = !{!"omnipotent char", !8}
!8 = !{!"root"}
!9 = !{!"sizes", !7, i64 0}
