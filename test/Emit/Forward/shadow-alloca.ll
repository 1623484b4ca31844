; A local array has a zeroed shadow, made in the entry block.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x, i64 %i, i64 %j) {
  %a = alloca [4 x double], align 16
  %p = getelementptr inbounds double, ptr %a, i64 %i
  store double %x, ptr %p, align 8
  %q = getelementptr inbounds double, ptr %a, i64 %j
  %y = load double, ptr %q, align 8
  ret double %y
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x, i64 %i, i64 %j) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, i64 %i, i64 %j)
  ret double %r
}
; CHECK: %a.shadow = alloca [4 x double], align 16
; CHECK: call void @llvm.memset.p0.i64(ptr align 16 %a.shadow, i8 0, i64 32, i1 false)
; CHECK: store double %x.tan, ptr %p.shadow, align 8
; CHECK: %y.tan = load double, ptr %q.shadow, align 8

; Where several kinds of things lie in it, the derivative says so, for its own derivative.
%Pair = type { i32, double }
define double @g(double %x, i32 %n) {
  %a = alloca [2 x %Pair], align 8
  %q = getelementptr inbounds %Pair, ptr %a, i32 %n
  store i32 %n, ptr %q, align 8
  %p = getelementptr inbounds %Pair, ptr %q, i32 0, i32 1
  store double %x, ptr %p, align 8
  %m = load i32, ptr %a, align 8
  %f = sitofp i32 %m to double
  %at.y = getelementptr inbounds %Pair, ptr %a, i32 0, i32 1
  %y = load double, ptr %at.y, align 8
  %r = fmul double %y, %f
  ret double %r
}
define double @dg(double %x, i32 %n) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @g, double %x, double 1.0, i32 %n)
  ret double %r
}
; CHECK: %a = alloca [2 x %Pair], align 8, !enzyme_type ![[HOLDS:[0-9]+]]
; CHECK: %a.shadow = alloca [2 x %Pair], align 8, !enzyme_type ![[HOLDS]]
; CHECK: ![[HOLDS]] = !{!"{[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,2]:Integer, [-1,3]:Integer, [-1,4]:Anything, [-1,5]:Anything, [-1,6]:Anything, [-1,7]:Anything, [-1,8]:Float@double, [-1,16]:Integer{{.*}}, [-1,24]:Float@double}"}
