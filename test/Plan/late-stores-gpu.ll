; Stores that wait for the end of a gradient on a GPU: where a loop reads what they may overwrite, so that nothing has
; to be kept for each iteration. What is read once is in a register, and the stored number would need one for as long.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

define void @loop(ptr %x, ptr %y) "isozyme-request"="reverse(dup, dup) -> const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %m = fmul double %v, %v
  %t = fadd double %s, %m
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %end
end:
  store double %t, ptr %y
  ret void
}
; CHECK-LABEL: plan for reverse(@loop
; CHECK:         store to %y in %end  done after the reverse sweep

define void @once(ptr %x, ptr %y) "isozyme-request"="reverse(dup, dup) -> const" {
  %v = load double, ptr %x
  %m = fmul double %v, %v
  store double %m, ptr %y
  ret void
}
; CHECK-LABEL: plan for reverse(@once
; CHECK-NOT:     done after
; CHECK:         reverse
