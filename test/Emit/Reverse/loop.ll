; A loop of known trip count: the values to keep go to an array that is made before it; the
; reverse loop counts down and reads them back; then the array is released.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define void @f(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %s = fmul double %v, %v
  store double %s, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
define void @df(ptr %x, ptr %dx, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %n)
  ret void
}

; CHECK:      %tape.array = call ptr @isozyme.tape.push(
; CHECK:      [[AT:%.*]] = getelementptr inbounds double, ptr %tape.array, i64 %iv
; CHECK-NEXT: store double %v, ptr [[AT]]
; CHECK:      rev.loop:
; CHECK:      [[I:%.*]] = phi i64 [ %0, %rev.loop.entry ], [ [[NEXT:%.*]], %rev.loop.to.loop ]
; CHECK:      getelementptr inbounds double, ptr %tape.array, i64 [[I]]
; CHECK:      icmp eq i64 [[I]], 0
; CHECK:      rev.entry:
; CHECK-NEXT: call void @isozyme.tape.pop(ptr %tape.array)
; CHECK:      [[NEXT]] = sub nuw nsw i64 [[I]], 1
