; A short loop counts the sizes of a record, first to last or last to first: no size is the address behind them, which
; is read without a tag, as in front of a loop.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s --implicit-check-not=': pointer'

; CHECK-LABEL: types of @sum.prepared
; CHECK: %data -> every 8: {0..8 float double}
define double @sum(ptr %record, ptr %total) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %behind = getelementptr i8, ptr %record, i64 16
  %data = load ptr, ptr %behind
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %i.next, %first ]
  %at = getelementptr nuw i64, ptr %record, i64 %i
  %size = load i64, ptr %at, !tbaa !0
  store i64 %size, ptr %total, !tbaa !0
  %i.next = add nuw nsw i64 %i, 1
  %goes.on = icmp ult i64 %i.next, 2
  br i1 %goes.on, label %first, label %second
second:
  %k = phi i64 [ 0, %first ], [ %k.next, %second ]
  %turned = sub nsw i64 1, %k
  %back = getelementptr i64, ptr %record, i64 %turned
  %other = load i64, ptr %back, !tbaa !0
  store i64 %other, ptr %total, !tbaa !0
  %k.next = add nuw nsw i64 %k, 1
  %ends = icmp eq i64 %k, 1
  br i1 %ends, label %done, label %second
done:
  %x = load double, ptr %data
  ret double %x
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2}
!2 = !{!"omnipotent char", !3}
!3 = !{!"root"}
