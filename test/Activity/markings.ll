; What the user says of functions, calls, parameters, results and single instructions.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: activity of @f
; CHECK: %a = call double @unknown(double %x){{.*}} ; inactive
; CHECK: %b = call double @square(double %x){{.*}} ; inactive
; CHECK: %c = call double @first(double %x, double %y){{.*}} ; active
; CHECK: %d = call double @first(double 1.{{0*}}e+00, double %y){{.*}} ; inactive
; CHECK: %e = call double @result(double %x){{.*}} ; inactive
; CHECK: %g = fmul double %x, %x, {{.*}} ; inactive
; CHECK: %h = fmul double %x, %y, {{.*}} ; inactive
; CHECK: %i = fmul double %y, %y, {{.*}} ; inactive
; CHECK: %k = fmul double %x, %e ; active
define double @f(double %x, double %y) "isozyme-request"="reverse(active,active)->active" {
  %a = call double @unknown(double %x)
  %b = call double @square(double %x) "enzyme_inactive"
  %c = call double @first(double %x, double %y)
  %d = call double @first(double 1.0, double %y)
  %e = call double @result(double %x)
  %g = fmul double %x, %x, !enzyme_inactive !0
  %h = fmul double %x, %y, !enzyme_inactive_val !0
  %i = fmul double %y, %y, !enzyme_inactive_inst !0
  %k = fmul double %x, %e
  %s0 = fadd double %a, %b
  %s1 = fadd double %c, %d
  %s2 = fadd double %e, %g
  %s3 = fadd double %h, %k
  %s4 = fadd double %s0, %s1
  %s5 = fadd double %s2, %s3
  %s6 = fadd double %s4, %s5
  %s7 = fadd double %s6, %i
  ret double %s7
}

; A table says that these bits carry nothing; the user knows better.
; CHECK-LABEL: activity of @g
; CHECK: %a = fptosi double %x to i32, {{.*}} ; inactive
define double @g(double %x) "isozyme-request"="reverse(active)->active" {
  %a = fptosi double %x to i32, !enzyme_active !0
  %b = sitofp i32 %a to double
  %c = fmul double %b, %x
  ret double %c
}

; CHECK-LABEL: activity of @h
; CHECK: argument %m: inactive
; CHECK: fmul {{.*}} ; active
define double @h(double %x, double "enzyme_inactive" %m) "isozyme-request"="reverse(active,active)->active" {
  %c = fmul double %m, %x
  ret double %c
}

declare double @unknown(double) "enzyme_inactive"
declare double @first(double, double "enzyme_inactive")
declare "enzyme_inactive" double @result(double)
define double @square(double %x) {
  %m = fmul double %x, %x
  ret double %m
}
!0 = !{}
