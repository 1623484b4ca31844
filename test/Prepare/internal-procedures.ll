; Code on the stack that calls a function with the variables of another: what is passed it calls a form of its own, which
; calls that function, and hands the variables on.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: define {{.*}}double @f.prepared
; CHECK-NOT: trampoline
; CHECK: call double @apply.with0.inner(ptr %variables, double %x)
; CHECK-NOT: trampoline
; CHECK: ret double
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  %code = alloca [32 x i8], align 1
  %variables = alloca double
  store double %x, ptr %variables
  call void @llvm.init.trampoline(ptr %code, ptr @inner, ptr %variables)
  %p = call ptr @llvm.adjust.trampoline(ptr %code)
  %y = call double @apply(ptr %p, double %x)
  ret double %y
}

; Where the address is kept, it may go anywhere.
; CHECK-LABEL: define {{.*}}double @kept.prepared
; CHECK: call void @llvm.init.trampoline
; CHECK: call double @keep
define double @kept(double %x) "isozyme-request"="reverse(active)->active" {
  %code = alloca [32 x i8], align 1
  %variables = alloca double
  store double %x, ptr %variables
  call void @llvm.init.trampoline(ptr %code, ptr @inner, ptr %variables)
  %p = call ptr @llvm.adjust.trampoline(ptr %code)
  %y = call double @keep(ptr %p, double %x)
  ret double %y
}

define internal double @inner(double %t, ptr nest %variables) {
  %v = load double, ptr %variables
  %r = fmul double %v, %t
  ret double %r
}

; It calls itself; null is no function.
define double @apply(ptr readonly %g, double %t) noinline {
  %there = icmp ne ptr %g, null
  br i1 %there, label %use, label %none

use:
  %a = call double %g(double %t)
  %more = fcmp ogt double %a, 1.0
  br i1 %more, label %again, label %none

again:
  %half = fmul double %t, 0.5
  %b = call double @apply(ptr %g, double %half)
  br label %none

none:
  %r = phi double [ 0.0, %0 ], [ %a, %use ], [ %b, %again ]
  ret double %r
}

@place = internal global ptr null
define double @keep(ptr %g, double %t) noinline {
  store ptr %g, ptr @place
  %f = load ptr, ptr @place
  %a = call double %f(double %t)
  ret double %a
}
declare void @llvm.init.trampoline(ptr, ptr, ptr)
declare ptr @llvm.adjust.trampoline(ptr)
