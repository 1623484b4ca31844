; Functions of complex numbers work on vectors, whatever the calling convention is.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; Two scalars in, a struct out (x86-64, double).
; CHECK-LABEL: prepared function for @scalars
; CHECK: %[[Y:.*]] = call <2 x double> @isozyme.cexp(<2 x double>
; CHECK: extractelement <2 x double> %[[Y]], i64 0
define double @scalars(double %re, double %im) {
  %y = call { double, double } @cexp(double %re, double %im)
  %a = extractvalue { double, double } %y, 0
  %b = extractvalue { double, double } %y, 1
  %s = fadd double %a, %b
  ret double %s
}

; A vector (x86-64, float).
; CHECK-LABEL: prepared function for @vectors
; CHECK: call <2 x float> @isozyme.__mulsc3(<2 x float>
; CHECK: call <2 x float> @isozyme.csqrtf(<2 x float>
define <2 x float> @vectors(<2 x float> %z) {
  %re = extractelement <2 x float> %z, i64 0
  %im = extractelement <2 x float> %z, i64 1
  %p = call <2 x float> @__mulsc3(float %re, float %im, float %re, float %im)
  %y = call <2 x float> @csqrtf(<2 x float> %p)
  ret <2 x float> %y
}

; Memory in, registers out (x86-64, long double).
; CHECK-LABEL: prepared function for @memory
; CHECK-NOT: alloca
; CHECK: call <2 x x86_fp80> @isozyme.csinl(<2 x x86_fp80>
define x86_fp80 @memory(x86_fp80 %re, x86_fp80 %im) {
  %z = alloca { x86_fp80, x86_fp80 }, align 16
  %zi = getelementptr inbounds { x86_fp80, x86_fp80 }, ptr %z, i32 0, i32 1
  store x86_fp80 %re, ptr %z, align 16
  store x86_fp80 %im, ptr %zi, align 16
  %y = call { x86_fp80, x86_fp80 } @csinl(ptr byval({ x86_fp80, x86_fp80 }) align 16 %z)
  %a = extractvalue { x86_fp80, x86_fp80 } %y, 0
  ret x86_fp80 %a
}

; Out by memory (x86-64, __float128).
; CHECK-LABEL: prepared function for @returned_in_memory
; CHECK-NOT: alloca
; CHECK: call <2 x fp128> @isozyme.__divtc3(<2 x fp128>
define fp128 @returned_in_memory(fp128 %re, fp128 %im) {
  %y = alloca { fp128, fp128 }, align 16
  call void @__divtc3(ptr sret({ fp128, fp128 }) align 16 %y, fp128 %re, fp128 %im, fp128 %im, fp128 %re)
  %a = load fp128, ptr %y, align 16
  ret fp128 %a
}

; Arrays (AArch64).
; CHECK-LABEL: prepared function for @arrays
; CHECK: call <2 x double> @isozyme.cpow(<2 x double>
define double @arrays([2 x double] %z) {
  %y = call { double, double } @cpow([2 x double] %z, [2 x double] %z)
  %a = extractvalue { double, double } %y, 0
  ret double %a
}

; Functions of the two parts.
; CHECK-LABEL: prepared function for @parts
; CHECK: call double @hypot(double %re, double %im)
; CHECK: call double @atan2(double %im, double %re)
; CHECK: fneg double %im
; CHECK-NOT: call
define double @parts(double %re, double %im) {
  %r = call double @cabs(double %re, double %im)
  %p = call double @carg(double %re, double %im)
  %j = call { double, double } @conj(double %re, double %im)
  %a = extractvalue { double, double } %j, 0
  %b = extractvalue { double, double } %j, 1
  %x = call double @creal(double %a, double %b)
  %y = call double @cimag(double %a, double %b)
  %s = fadd double %r, %p
  %t = fadd double %x, %y
  %u = fadd double %s, %t
  ret double %u
}

; A program's own function keeps its meaning.
; CHECK-LABEL: prepared function for @own
; CHECK: call { double, double } @ctan(
define { double, double } @own(double %re, double %im) {
  %y = call { double, double } @ctan(double %re, double %im)
  ret { double, double } %y
}
define { double, double } @ctan(double %re, double %im) {
  ret { double, double } zeroinitializer
}

declare { double, double } @cexp(double, double)
declare <2 x float> @__mulsc3(float, float, float, float)
declare <2 x float> @csqrtf(<2 x float>)
declare { x86_fp80, x86_fp80 } @csinl(ptr byval({ x86_fp80, x86_fp80 }) align 16)
declare void @__divtc3(ptr, fp128, fp128, fp128, fp128)
declare { double, double } @cpow([2 x double], [2 x double])
declare double @cabs(double, double)
declare double @carg(double, double)
declare { double, double } @conj(double, double)
declare double @creal(double, double)
declare double @cimag(double, double)
