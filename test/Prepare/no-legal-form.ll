; Each instruction without a legal form is one error.
; RUN: split-file %s %t
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/goto.ll 2>&1 | FileCheck %t/goto.ll
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/asm.ll 2>&1 | FileCheck %t/asm.ll
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/tail.ll 2>&1 | FileCheck %t/tail.ll
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %t/variadic.ll 2>&1 | FileCheck %t/variadic.ll

;--- goto.ll
; CHECK: a computed goto cannot be differentiated through; {{.*}} [IZ209]
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
; CHECK: a call that must be a tail call cannot be differentiated through; {{.*}} [IZ209]
define double @tail(double %x) {
  %y = musttail call double @tail(double %x)
  ret double %y
}

;--- variadic.ll
; CHECK: reading a variable argument list cannot be differentiated through; {{.*}} [IZ209]
define double @variadic(double %x, ...) {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %y = va_arg ptr %list, double
  ret double %y
}
