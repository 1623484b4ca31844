; Where tapes lie: in memory that the thread keeps where a call makes the tape and gives it back;
; from malloc where it may outlive the call, where a tool looks at each array, where the thread
; can keep nothing, and on request. A derivative that may be left marks what it has.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,KEPT
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-tape-memory=malloc -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
; RUN: env ISOZYME_OPTIONS=-isozyme-tape-memory=malloc %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
; RUN: %opt -passes='print<isozyme-plan>' -mtriple=x86_64-apple-macosx -disable-output %s 2>&1 | FileCheck %s --check-prefixes=CHECK,HEAP
; RUN: not %opt -passes='print<isozyme-plan>' -isozyme-tape-memory=stack -disable-output %s 2>&1 | FileCheck %s --check-prefix=WORD

; WORD: isozyme-tape-memory option: Cannot find option named 'stack'!

; CHECK-LABEL: derivative plan for reverse(@combined
; KEPT:  double array %loop  8 bytes
; HEAP:  double array on heap %loop  8 bytes
; CHECK-NOT: marked
define void @combined(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %s = fmul double %v, %v
  store double %s, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The halves that a combined derivative calls, and those that the user calls.
; CHECK-LABEL: derivative plan for augment(@inner
; KEPT:  double array %loop  8 bytes
; HEAP:  double array on heap %loop  8 bytes
define void @inner(ptr %x, i64 %n) "isozyme-request"="augment(dup, const) -> const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %s = fmul double %v, %v
  store double %s, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: derivative plan for augment(@held{{.*}} -> const, tape outlives, width 1
; CHECK: double array on heap %loop  8 bytes
; CHECK: differentiate   augment(@callee: dup ptr{{.*}}) -> const, tape outlives, width 1
define void @held(ptr %x, i64 %n) "isozyme-request"="augment(dup, const) -> const, tape outlives" {
entry:
  call void @callee(ptr %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %s = fmul double %v, %v
  store double %s, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define void @callee(ptr %x) noinline {
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %x
  ret void
}

; CHECK-LABEL: derivative plan for reverse(@sanitized
; CHECK: double array on heap %loop  8 bytes
define void @sanitized(ptr %x, i64 %n) sanitize_address "isozyme-request"="reverse(dup, const) -> const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %s = fmul double %v, %v
  store double %s, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What does not throw and comes back does not leave it; anything else may.
; CHECK-LABEL: derivative plan for reverse(@stays
; CHECK-NOT: marked
define void @stays(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @comesBack()
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %s = fmul double %v, %v
  store double %s, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; CHECK-LABEL: derivative plan for reverse(@leaves
; KEPT: an exception may leave it: the memory of its tape is marked
; HEAP-NOT: marked
define void @leaves(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @mayJump()
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %s = fmul double %v, %v
  store double %s, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare void @comesBack() nounwind willreturn memory(none) "enzyme_inactive"
declare void @mayJump() nounwind memory(none) "enzyme_inactive"
