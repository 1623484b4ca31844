; Bodies of the machine's mathematics that the front end has linked are not looked into: the functions have
; rules. What only the derivative calls comes from the file of the library.
; RUN: split-file %s %t
; RUN: %opt -O2 -isozyme-device-math=%t/library.ll -S %t/kernel.ll | FileCheck %s
; RUN: %opt -O0 -isozyme-device-math=%t/library.ll -S %t/kernel.ll | FileCheck %s --check-prefix=O0
; RUN: not %opt -O2 -isozyme-device-math=%t/none.ll -S %t/kernel.ll -o %t/out.ll 2>&1 | FileCheck %s --check-prefix=MISSING

; The library's cos is a product here, by which its body is known.
; CHECK-LABEL: define {{.*}}double @slope(
; CHECK: fmul double %x, 3.000000e+00
; CHECK: }
; CHECK-NOT: declare {{.*}}@__nv_
; O0: define internal double @__nv_sin(double %x) #[[INLINE:[0-9]+]]
; O0: define internal { double } @reverse.f(
; O0: fmul double %x, 3.000000e+00
; O0: attributes #[[INLINE]] = { {{.*}}alwaysinline
; MISSING: the derivative calls '__nv_cos', which the program does not, and '{{.*}}none.ll' cannot be read; name the file {{.*}} [IZ121]

;--- kernel.ll
target triple = "nvptx64-nvidia-cuda"
define double @slope(double %x) {
  %d = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
define double @f(double %x) {
  %s = call double @__nv_sin(double %x)
  ret double %s
}
define internal double @__nv_sin(double %x) alwaysinline {
  %b = bitcast double %x to i64
  %m = mul i64 %b, 12345
  %s = bitcast i64 %m to double
  ret double %s
}
declare double @__enzyme_autodiff(ptr, ...)
;--- library.ll
target triple = "nvptx64-nvidia-cuda"
define double @__nv_sin(double %x) alwaysinline {
  ret double 7.0
}
define double @__nv_cos(double %x) alwaysinline {
  %c = fmul double %x, 3.0
  ret double %c
}
