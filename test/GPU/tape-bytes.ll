; A gradient that takes memory for its tape counts the bytes where there is none: an array in front of its loop, a chunk
; in the iterations that begin one, what a function that is called takes; a gradient that takes none asks nothing.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

; CHECK-LABEL: define internal void @reverse.powers(
; CHECK-NEXT:  ask:
; CHECK-NEXT:    [[AT:%.*]] = load ptr, ptr addrspace(1) @isozyme_tape
; CHECK-NEXT:    [[COUNTS:%.*]] = icmp eq ptr [[AT]], null
; CHECK-NEXT:    br i1 [[COUNTS]], label %counts, label %entry
; CHECK:       counts:
; CHECK-NEXT:    call void @tape.bytes.powers(ptr %x, ptr %y, i64 %n)
; CHECK-NEXT:    ret void

; CHECK-LABEL: define internal void @tape.bytes.powers(
; CHECK:         [[COUNT:%.*]] = call i64 @llvm.umax.i64(i64 %n, i64 1)
; CHECK:         call { i64, i1 } @llvm.umul.with.overflow.i64(i64 8, i64 [[COUNT]])
; CHECK:         [[BYTES:%.*]] = call i64 @llvm.umin.i64(
; CHECK-NEXT:    [[MORE:%.*]] = add i64 [[BYTES]], 15
; CHECK-NEXT:    [[PIECE:%.*]] = and i64 [[MORE]], -16
; CHECK:       loop:
; CHECK-NOT:     store
; CHECK:       done:
; CHECK-NEXT:    store double %v.next, ptr %y
; CHECK-NEXT:    atomicrmw add ptr {{.*}} @isozyme_tape, i32 16), i64 [[PIECE]] syncscope("device") monotonic

; CHECK-LABEL: define internal void @reverse.plain(
; CHECK-NOT:     isozyme_tape
; CHECK:       }

; CHECK-LABEL: define internal double @tape.bytes.halve(
; CHECK:       loop:
; CHECK-NEXT:    [[SUM:%.*]] = phi i64 [ [[NEXT:%.*]], %loop ], [ 496, %entry ]
; CHECK:         [[RECORDS:%.*]] = add i64 %iv, 16
; CHECK-NEXT:    [[LESS:%.*]] = sub i64 [[RECORDS]], 1
; CHECK-NEXT:    [[BOTH:%.*]] = and i64 [[RECORDS]], [[LESS]]
; CHECK-NEXT:    [[BEGINS:%.*]] = icmp eq i64 [[BOTH]], 0
; CHECK-NEXT:    mul i64 [[RECORDS]], 8
; CHECK:         [[CHUNK:%.*]] = select i1 [[BEGINS]], i64 {{%.*}}, i64 0
; CHECK-NEXT:    [[NEXT]] = add i64 [[SUM]], [[CHUNK]]

; CHECK-LABEL: define internal void @tape.bytes.calls(
; CHECK:         call double @tape.bytes.halve(double %v)
; CHECK-NOT:     atomicrmw
; CHECK:       }

target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
@isozyme_tape = addrspace(1) externally_initialized global { ptr, i64, i64 } zeroinitializer

define void @powers(ptr %x, ptr %y, i64 %n) {
entry:
  %start = load double, ptr %x
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %v = phi double [ %start, %entry ], [ %v.next, %loop ]
  %v.next = fmul double %v, %v
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store double %v.next, ptr %y
  ret void
}

define void @plain(ptr %x, ptr %y, i64 %n) {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %y
  ret void
}

define double @halve(double %start) noinline {
entry:
  br label %loop
loop:
  %v = phi double [ %start, %entry ], [ %v.next, %loop ]
  %w = fmul double %v, %v
  %v.next = fmul double %w, 0.5
  %more = fcmp ogt double %v.next, 1.0
  br i1 %more, label %loop, label %done
done:
  ret double %v.next
}
define void @calls(ptr %x, ptr %y, i64 %n) {
  %v = load double, ptr %x
  %w = call double @halve(double %v)
  %u = fmul double %w, %w
  store double %u, ptr %y
  ret void
}

define void @gradients(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call void @__enzyme_autodiff(ptr @powers, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void @__enzyme_autodiff(ptr @plain, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void @__enzyme_autodiff(ptr @calls, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
