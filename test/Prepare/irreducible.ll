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
