; What is marked optnone is differentiated by way of simplified copies, and stays as it is.
; RUN: %opt %s -passes=autodiff -S | FileCheck %s
; RUN: %opt %s -O0 -S | FileCheck %s
; RUN: %opt %s -passes='autodiff<no-cleanup>' -S | FileCheck %s --check-prefixes=CHECK,RAW

declare double @__enzyme_autodiff(ptr, ...)

; CHECK-LABEL: define internal {{.*}}double @triple(
; CHECK: alloca
define internal double @triple(double %x) optnone noinline {
  %slot = alloca double
  store double %x, ptr %slot
  %y = load double, ptr %slot
  %z = fmul double %y, 3.0
  ret double %z
}

; CHECK-LABEL: define double @cubed(
; CHECK: call {{.*}}double @triple(
define double @cubed(double %x) optnone noinline {
  %s = fmul double %x, %x
  %t = call double @triple(double %s)
  ret double %t
}

; CHECK-LABEL: define double @slope(
; CHECK-NOT: __enzyme
define double @slope() optnone noinline {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @cubed, double 2.0)
  ret double %d
}

; The derivative is that of simplified code: nothing is in memory, nothing is called.
; RAW: define internal {{.*}}@reverse.cubed(
; RAW-NOT: {{alloca|load|triple}}
; RAW: ret
; CHECK-NOT: {{simplified|@cubed.user}}
