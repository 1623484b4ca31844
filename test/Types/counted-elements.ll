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

; Likewise a short loop over the numbers of a record, one of an array: the character behind them is no number. The loop
; tests how many are to come.
; CHECK-LABEL: types of @records.prepared
; CHECK: %records -> every 32: {0..8 integer, 8..24 float double, 24..32 integer}
define double @records(ptr %records, i64 %which) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %record = getelementptr { i64, double, double, i64 }, ptr %records, i64 %which
  store i64 1, ptr %record, !tbaa !0
  %name = getelementptr i8, ptr %record, i64 24
  store i64 2, ptr %name, !tbaa !0
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %loop ]
  %left = phi i64 [ 2, %entry ], [ %left.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr double, ptr %record, i64 %i
  %x = load double, ptr %at
  %sum.next = fadd double %sum, %x
  %i.next = add nuw nsw i64 %i, 1
  %left.next = add nsw i64 %left, -1
  %ends = icmp eq i64 %left.next, 0
  br i1 %ends, label %done, label %loop
done:
  ret double %sum.next
}

; A number of a caller that nobody has folded yet is no counter.
; CHECK-LABEL: types of @first.prepared
; CHECK: %data -> unknown
define i64 @first(ptr %data) noinline "isozyme-request"="reverse(dup)->const" {
  %n = load i64, ptr %data
  ret i64 %n
}

@row = external global ptr

define void @unfolded(ptr %rows, ptr %data, i64 %which) {
  %row = getelementptr [3 x double], ptr %rows, i64 %which
  store ptr %row, ptr @row
  %n = call i64 @first(ptr %data)
  %again = load ptr, ptr @row
  %number = sext i32 0 to i64
  %at = getelementptr double, ptr %again, i64 %number
  store double 1.0, ptr %at
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2}
!2 = !{!"omnipotent char", !3}
!3 = !{!"root"}
