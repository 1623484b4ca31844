; Globals may be read and written freely, but not hold differentiated data: IZ207.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/fine.ll 2>&1 | FileCheck %t/fine.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/direct.ll 2>&1 | FileCheck %t/direct.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/callee.ll 2>&1 | FileCheck %t/callee.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/pointer.ll 2>&1 | FileCheck %t/pointer.ll

;--- fine.ll
; CHECK: %v = load double, ptr @scale{{.*}} ; inactive
; CHECK: store i32 {{.*}}, ptr @calls{{.*}} ; inactive
; CHECK: %m = fmul {{.*}} ; active
@scale = global double 2.0
@calls = global i32 0
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  %v = load double, ptr @scale
  %n = load i32, ptr @calls
  %n1 = add i32 %n, 1
  store i32 %n1, ptr @calls
  %m = fmul double %v, %x
  ret double %m
}

;--- direct.ll
; CHECK: error: {{.*}}global variable 'last' would hold differentiated data, and it has no shadow; {{.*}}[IZ207]
@last = global double 0.0
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  store double %x, ptr @last
  ret double %x
}

;--- callee.ll
; CHECK: error: {{.*}}global variable 'last'{{.*}}[IZ207]
@last = global double 0.0
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  call void @remember(double %x)
  ret double %x
}
define internal void @remember(double %x) {
  store double %x, ptr @last
  ret void
}

;--- pointer.ll
; CHECK: error: {{.*}}global variable 'buffer'{{.*}}[IZ207]
@buffer = global ptr null
define double @f(ptr %p) "isozyme-request"="reverse(dup)->active" {
  store ptr %p, ptr @buffer
  %q = load volatile ptr, ptr @buffer
  %v = load double, ptr %q
  ret double %v
}
