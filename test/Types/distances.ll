; The difference of two addresses is a number, also where the second is only known later in the order of the code;
; and so is what is computed of such numbers.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @halves.prepared
; CHECK-NOT: {{%(bytes|count|half|last|more|small)}}:
; CHECK: %next: pointer
define double @halves(ptr %v, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %end = getelementptr inbounds double, ptr %v, i64 %n
  %end.at = ptrtoint ptr %end to i64
  br label %loop
loop:
  %first = phi ptr [ %v, %entry ], [ %step, %latch ]
  %at = phi i64 [ 0, %entry ], [ %next, %latch ]
  %sum = phi double [ 0.0, %entry ], [ %t, %latch ]
  %bytes = sub i64 %end.at, %at
  %count = lshr i64 %bytes, 3
  %half = lshr i64 %count, 1
  %i = call i64 @llvm.umin.i64(i64 %half, i64 100)
  br label %inner
inner:
  %down = phi i64 [ 0, %loop ], [ %more, %inner ]
  %last = sub i64 %half, %down
  %p = getelementptr inbounds double, ptr %first, i64 %last
  %x = load double, ptr %p
  %more = add i64 %down, 1
  %again = icmp ult i64 %more, %i
  br i1 %again, label %inner, label %latch
latch:
  %t = fadd double %sum, %x
  %step = getelementptr inbounds double, ptr %first, i64 %half
  %next = ptrtoint ptr %step to i64
  %small = sub i64 %next, %end.at
  %go = icmp slt i64 %small, 0
  br i1 %go, label %loop, label %exit
exit:
  ret double %t
}

; end - 8 - start, the other way round: first the address of the start is subtracted from a constant.
; CHECK-LABEL: types of @negated.prepared
; CHECK-NOT: {{%(less|bytes|n)}}:
define double @negated(ptr %v, ptr %end) "isozyme-request"="reverse(dup,const)->active" {
  %v.at = ptrtoint ptr %v to i64
  %end.at = ptrtoint ptr %end to i64
  %less = sub i64 -8, %v.at
  %bytes = add i64 %end.at, %less
  %n = lshr i64 %bytes, 3
  %p = getelementptr inbounds double, ptr %v, i64 %n
  %x = load double, ptr %p
  ret double %x
}
