; Where a thread is, and how many there are, never changes: the step of a grid-stride loop is the same in all
; iterations, and its counter is none that a derivative would have to keep.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @f
; CHECK: loop:
; CHECK-NOT: phi i32
; CHECK-NOT: call
; CHECK: %i = add i32 %t, %iv.scaled
; CHECK-NOT: call
; CHECK: ret void
target triple = "nvptx64-nvidia-cuda"

define void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begins = icmp slt i32 %t, %n
  br i1 %begins, label %loop, label %exit

loop:
  %i = phi i32 [ %t, %entry ], [ %next, %loop ]
  %w = sext i32 %i to i64
  %p = getelementptr double, ptr %x, i64 %w
  %v = load double, ptr %p
  %s = fmul double %v, %v
  %q = getelementptr double, ptr %y, i64 %w
  store double %s, ptr %q
  %grid = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %step = mul i32 %grid, %block
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
