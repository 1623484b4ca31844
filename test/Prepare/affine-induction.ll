; Affine induction variables, of any width and of pointers, are computed from one counter.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @strided
; CHECK: [[LAST:%.*]] = udiv i64 {{.*}}, 3
; CHECK: loop:
; CHECK-NEXT: %iv = phi i64 [ 0, %entry ], [ %iv.next, %loop ]
; CHECK-NEXT: %s = phi double
; CHECK-DAG: [[BYTES:%.*]] = mul nsw i64 %iv, 24
; CHECK-DAG: %p = getelementptr inbounds i8, ptr %x, i64 [[BYTES]]
; CHECK-DAG: [[NARROW:%.*]] = trunc {{.*}}i64 %iv to i32
; CHECK-DAG: %i = mul {{.*}}i32 [[NARROW]], 3
; CHECK: loop %loop: depth 1, counter %iv, last [[LAST]]
define double @strided(ptr %x, i32 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %x, %entry ], [ %p.next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %v = load double, ptr %p
  %w = sitofp i32 %i to double
  %t = fmul double %v, %w
  %s.next = fadd double %s, %t
  %p.next = getelementptr inbounds double, ptr %p, i64 3
  %i.next = add nuw nsw i32 %i, 3
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret double %s.next
}

; A counter that the loop has already is used as it is, with its own increment.
; CHECK-LABEL: prepared function for @own
; CHECK: %iv = phi i64 [ 0, %entry ], [ %i.next, %loop ]
; CHECK: %i.next = add nuw nsw i64 %iv, 1
; CHECK-NOT: add
; CHECK: loop %loop: depth 1, counter %iv, last
define void @own(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  store double 0.0, ptr %p
  %i.next = add i64 %i, 1
  %c = icmp ult i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Neither a product nor a float is affine: they stay phis.
; CHECK-LABEL: prepared function for @others
; CHECK: %iv = phi i64
; CHECK-NEXT: %f = phi double
; CHECK-NEXT: %g = phi i64
define i64 @others(i64 %n) {
entry:
  br label %loop
loop:
  %f = phi double [ 0.0, %entry ], [ %f.next, %loop ]
  %g = phi i64 [ 1, %entry ], [ %g.next, %loop ]
  %f.next = fadd double %f, 1.0
  %g.next = mul i64 %g, 3
  %d = sitofp i64 %n to double
  %c = fcmp olt double %f.next, %d
  br i1 %c, label %loop, label %exit
exit:
  ret i64 %g.next
}
