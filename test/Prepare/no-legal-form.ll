; Each instruction without a legal form is one error.
; RUN: split-file %s %t
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/goto.ll 2>&1 | FileCheck %t/goto.ll
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/asm.ll 2>&1 | FileCheck %t/asm.ll
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/tail.ll 2>&1 | FileCheck %t/tail.ll
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/twice.ll 2>&1 | FileCheck %t/twice.ll
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/variadic.ll 2>&1 | FileCheck %t/variadic.ll

;--- goto.ll
; CHECK: a computed goto to an address that is not in a table of this function's labels {{.*}} [IZ209]
define double @computed(ptr %to, double %x) {
entry:
  indirectbr ptr %to, [label %a, label %b]
a:
  ret double %x
b:
  ret double 0.0
}

;--- asm.ll
; CHECK: an asm goto statement cannot be differentiated through; {{.*}} [IZ209]
define void @asmGoto(double %x) {
entry:
  callbr void asm "", "!i"() to label %a [label %b]
a:
  ret void
b:
  ret void
}

;--- tail.ll
; CHECK: a tail call of a function with variable arguments cannot be differentiated through; {{.*}} [IZ209]
define double @tail(double %x, ...) {
  %y = musttail call double (double, ...) @tail(double %x, ...)
  ret double %y
}

;--- twice.ll
; CHECK: a call that may return twice (setjmp) cannot be differentiated through; {{.*}} [IZ209]
declare i32 @_setjmp(ptr) returns_twice
define double @twice(ptr %place, double %x) {
  %again = call i32 @_setjmp(ptr %place) returns_twice
  %r = sitofp i32 %again to double
  ret double %r
}

;--- variadic.ll
; CHECK: reading a variable argument list cannot be differentiated through; {{.*}} [IZ209]
define double @variadic(double %x, ...) {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %y = va_arg ptr %list, double
  ret double %y
}
