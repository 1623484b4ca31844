; A loop of unknown trip count: each iteration asks for its record, in chunks that are added as
; needed; the table of chunks is on the stack. The last value of the counter starts the reverse loop.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x) {
entry:
  br label %loop
loop:
  %y = phi double [ %x, %entry ], [ %next, %loop ]
  %next = fmul double %y, %y
  %more = fcmp ogt double %next, 1.0e-3
  br i1 %more, label %loop, label %done
done:
  ret double %next
}
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %g
}

; The helpers that find a record's place are inlined: a second differentiation sees where it is.
; CHECK:      %tape.table = alloca [61 x ptr]
; CHECK:      [[CHUNK:%entry.*]] = getelementptr inbounds ptr, ptr %tape.table, i64 %chunk
; CHECK:      call ptr @isozyme.tape.push
; CHECK:      [[BASE:%base.*]] = load ptr, ptr [[CHUNK]]
; CHECK:      [[NEW:%.*]] = getelementptr inbounds i8, ptr [[BASE]]
; CHECK-NEXT: store double %y, ptr [[NEW]]
; CHECK:      [[I:%.*]] = phi i64 [ %iv, %rev.loop.entry ]
; CHECK:      lshr i64 [[I]], 4
; CHECK:      [[BASE:%base.*]] = load ptr
; CHECK:      [[OLD:%.*]] = getelementptr inbounds i8, ptr [[BASE]]
; CHECK-NEXT: load double, ptr [[OLD]]
; CHECK:      call void @isozyme.tape.release.chunks.of.thread(ptr %tape.table)
