; Code compiled without optimisation is brought into registers; the copy is internal.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @slow
; CHECK: define internal double @slow.prepared(double %x, i32 %n)
; CHECK-NOT: comdat
; CHECK-NOT: alloca
; CHECK: %{{.*}} = phi double
; CHECK-NOT: {{optnone|noinline}}
; CHECK: loop %{{.*}}: depth 1, counter %iv, last %{{.*}}
; CHECK-NOT: prepared function
$slow = comdat any
define weak_odr double @slow(double %x, i32 %n) noinline optnone comdat {
entry:
  %s = alloca double
  %i = alloca i32
  store double 0.0, ptr %s
  store i32 0, ptr %i
  br label %head
head:
  %iv = load i32, ptr %i
  %c = icmp slt i32 %iv, %n
  br i1 %c, label %body, label %exit
body:
  %t = load double, ptr %s
  %u = fmul double %t, %x
  store double %u, ptr %s
  %j = load i32, ptr %i
  %k = add nsw i32 %j, 1
  store i32 %k, ptr %i
  br label %head
exit:
  %r = load double, ptr %s
  ret double %r
}
