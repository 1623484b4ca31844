; The reverse sweep steps over loops and branches in which nothing is differentiated.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @loop(double %x, ptr noalias %log, i64 %n) "isozyme-request"="reverse(active, const, const) -> active" {
entry:
  %s = call double @sin(double %x)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %p = getelementptr inbounds i64, ptr %log, i64 %i
  store i64 %i, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %fill, label %done
done:
  %r = fmul double %s, %s
  ret double %r
}
define double @diamond(double %x, ptr noalias %log, i1 %c) "isozyme-request"="reverse(active, const, const) -> active" {
entry:
  br i1 %c, label %left, label %right
left:
  store i64 1, ptr %log
  br label %join
right:
  store i64 2, ptr %log
  br label %join
join:
  %r = fmul double %x, %x
  ret double %r
}
declare double @sin(double)

; CHECK-LABEL: plan for reverse(@loop:
; CHECK-NOT:     loop %fill
; CHECK:         %done: skip to %entry
; CHECK-NEXT:    %entry: end
; CHECK-LABEL: plan for reverse(@diamond:
; CHECK-NOT:     from
; CHECK:         %join: skip to %entry
; CHECK-NEXT:    %entry: end
