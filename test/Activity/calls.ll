; A call is active if it moves derivatives: by its result or in memory that it writes.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: activity of @f
; CHECK: call void @fill(ptr %a, double %x)  ; active
; CHECK: call void @fill(ptr %b, double 1.000000e+00)  ; inactive
; CHECK: %n = call i64 @count(ptr %a)  ; inactive
; CHECK: = call i32 @puts(ptr %a)  ; inactive
; CHECK: %r = call double @total(ptr %a)  ; active (varied from argument %x; useful for %s)
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  %a = alloca [2 x double]
  %b = alloca [2 x double]
  call void @fill(ptr %a, double %x)
  call void @fill(ptr %b, double 1.0)
  %n = call i64 @count(ptr %a)
  call i32 @puts(ptr %a)
  %r = call double @total(ptr %a)
  %q = call double @total(ptr %b)
  %k = sitofp i64 %n to double
  %s = fmul double %r, %q
  %t = fmul double %s, %k
  ret double %t
}
define internal void @fill(ptr %p, double %v) {
  store double %v, ptr %p
  ret void
}
define internal i64 @count(ptr %p) {
  %v = load double, ptr %p
  %i = fptosi double %v to i64
  ret i64 %i
}
define internal double @total(ptr %p) {
  %v = load double, ptr %p
  ret double %v
}
declare i32 @puts(ptr)
