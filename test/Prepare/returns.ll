; Several returns become one, with the result in a phi.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @two
; CHECK-COUNT-1: {{^}}  ret double
; CHECK-NOT: {{^}}  ret double
define double @two(i32 %n, double %x) {
entry:
  switch i32 %n, label %more [ i32 0, label %zero ]
zero:
  ret double 0.0
more:
  %y = call double @two(i32 %n, double %x)
  ret double %y
}
