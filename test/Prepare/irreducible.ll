; A loop with two entries is brought into a loop with one.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @twoEntries
; CHECK: loop %{{.*}}: depth 1, counter %iv, last
define double @twoEntries(double %x, i1 %c, i32 %n) {
entry:
  br i1 %c, label %a, label %b
a:
  %xa = phi double [ %x, %entry ], [ %xb2, %b ]
  %ia = phi i32 [ 0, %entry ], [ %ib2, %b ]
  %xa2 = fmul double %xa, 2.0
  %ia2 = add i32 %ia, 1
  br label %b
b:
  %xb = phi double [ %x, %entry ], [ %xa2, %a ]
  %ib = phi i32 [ 0, %entry ], [ %ia2, %a ]
  %xb2 = fadd double %xb, 1.0
  %ib2 = add i32 %ib, 1
  %d = icmp slt i32 %ib2, %n
  br i1 %d, label %a, label %exit
exit:
  ret double %xb2
}

; Three blocks that jump to each other: what each hands to the others arrives.
; CHECK-LABEL: prepared function for @threeWays
; CHECK: dispatch
; CHECK: loop %dispatch: depth 1
; CHECK: loop %dispatch{{[0-9]+}}: depth 2
define double @threeWays(double %x, i1 %c, i1 %d, i32 %n) {
entry:
  br i1 %c, label %a, label %other
other:
  br i1 %d, label %b, label %e
a:
  %xa = phi double [ %x, %entry ], [ %xb2, %b2 ], [ %xe2, %e2 ]
  %ia = phi i32 [ 0, %entry ], [ %ib2, %b2 ], [ %ie2, %e2 ]
  %ia2 = add i32 %ia, 1
  %xa2 = fmul double %xa, 2.0
  %sa = icmp slt i32 %ia2, %n
  br i1 %sa, label %a2, label %exit
a2:
  %ca = fcmp ogt double %xa2, 1.0
  br i1 %ca, label %e, label %b
b:
  %xb = phi double [ %x, %other ], [ %xa2, %a2 ], [ %xe2, %e2 ]
  %ib = phi i32 [ 0, %other ], [ %ia2, %a2 ], [ %ie2, %e2 ]
  %ib2 = add i32 %ib, 1
  %xb2 = fadd double %xb, 1.0
  %sb = icmp slt i32 %ib2, %n
  br i1 %sb, label %b2, label %exit
b2:
  %cb = fcmp ogt double %xb2, 5.0
  br i1 %cb, label %a, label %e
e:
  %xe = phi double [ %x, %other ], [ %xa2, %a2 ], [ %xb2, %b2 ]
  %ie = phi i32 [ 0, %other ], [ %ia2, %a2 ], [ %ib2, %b2 ]
  %ie2 = add i32 %ie, 1
  %xe2 = fsub double %xe, 3.0
  %se = icmp slt i32 %ie2, %n
  br i1 %se, label %e2, label %exit
e2:
  %ce = fcmp ogt double %xe2, 0.0
  br i1 %ce, label %a, label %b
exit:
  %y = phi double [ %xa2, %a ], [ %xb2, %b ], [ %xe2, %e ]
  ret double %y
}
