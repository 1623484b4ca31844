; A loop reads numbers of a row in each record, so that a number may be in every eight bytes, so far as
; is known. The integer behind the row is one in each record, and in the first one, too: it was unknown.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

%particle = type { [7 x double], i32 }

; CHECK-LABEL: types of @rows.prepared
; CHECK: %all -> every 256: {0..56 float double, 56..60 integer, 60..64 anything, 64..120 float double,
define double @rows(ptr %all, i64 %i, i64 %k) #0 {
  %four = getelementptr [4 x %particle], ptr %all, i64 %i
  %fourthCell = getelementptr i8, ptr %four, i64 248
  %fourth = load i32, ptr %fourthCell, !tbaa !3
  %one = getelementptr %particle, ptr %all, i64 %i
  %number = getelementptr double, ptr %one, i64 %k
  %x = load double, ptr %number, !tbaa !0
  %itsCell = getelementptr i8, ptr %one, i64 56
  %cell = load i32, ptr %itsCell, !tbaa !3
  %firstCell = getelementptr i8, ptr %all, i64 56
  %first = load i32, ptr %firstCell, !tbaa !3
  %isFirst = icmp eq i32 %cell, %first
  %isFourth = icmp eq i32 %fourth, %first
  %is = or i1 %isFirst, %isFourth
  %y = select i1 %is, double %x, double 0.0
  ret double %y
}

; A count in front of numbers is none of the numbers.
; CHECK-LABEL: types of @counted.prepared
; CHECK-NEXT: %all -> starts with {0..8 integer, 8..16 float double}
define double @counted(ptr %all, i64 %k) #1 {
  %n = load i64, ptr %all, !tbaa !6
  %number = getelementptr double, ptr %all, i64 %k
  %x = load double, ptr %number, !tbaa !0
  %any = icmp sgt i64 %n, 0
  %y = select i1 %any, double %x, double 0.0
  ret double %y
}

attributes #0 = { "isozyme-request"="reverse(dup,const,const)->active" }
attributes #1 = { "isozyme-request"="reverse(dup,const)->active" }

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"omnipotent char", !5}
!3 = !{!8, !4, i64 56}
!4 = !{!"int", !2}
!5 = !{!"Simple C/C++ TBAA"}
!6 = !{!7, !7, i64 0}
!7 = !{!"long", !2}
!8 = !{!"_ZTS8particle", !2, i64 0, !4, i64 56}
