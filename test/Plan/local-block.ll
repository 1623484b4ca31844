; Small locals that the reverse half needs share one block of the tape, with their shadows.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-tape-memory=malloc -disable-output %s 2>&1 | FileCheck %s --check-prefix=APART
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-verify-each -S %s | FileCheck %s --check-prefix=CODE

; APART-NOT: locals in one block

; CHECK: derivative plan for augment(@halves
; CHECK: locals in one block of 96 bytes: %first shadow at +0, %first primal at +16, %second shadow at +32, %second primal at +64{{$}}
; CODE-LABEL: define internal {{.*}} @augment.halves(
; CODE: %locals = call ptr @isozyme.tape.push(i64 96)
; CODE-NEXT: call void @llvm.memset{{.*}}(ptr align 16 %locals, i8 0, i64 16, i1 false)
; CODE-NOT: isozyme.tape.push
; CODE-LABEL: define internal {{.*}} @reverse.from.tape.halves(
; CODE: call void @isozyme.tape.pop(
; CODE-NOT: call void @isozyme.tape.pop(
; CODE: ret void
define void @halves(ptr %x, ptr %y) noinline "isozyme-request"="augment(dup,dup)->const" {
  %first = alloca [2 x double]
  %second = alloca [3 x double]
  %a = load double, ptr %x
  %b = fmul double %a, %a
  store double %b, ptr %first
  store double %b, ptr %second
  call void @square(ptr %first)
  call void @square(ptr %second)
  %c = load double, ptr %first
  %d = load double, ptr %second
  %e = fmul double %c, %d
  store double %e, ptr %y
  ret void
}
define void @square(ptr %p) noinline {
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %p
  ret void
}

; A large one has its own, and so has what is there once.
; CHECK: derivative plan for augment(@large
; CHECK-NOT: locals in one block
; CHECK: {{^}}  reverse
define void @large(ptr %x, ptr %y) noinline "isozyme-request"="augment(dup,dup)->const" {
  %many = alloca [9 x double]
  %a = load double, ptr %x
  store double %a, ptr %many
  call void @square(ptr %many)
  %b = load double, ptr %many
  store double %b, ptr %y
  ret void
}

define double @f(ptr %x, ptr %scratch) {
  call void @halves(ptr %x, ptr %scratch)
  call void @large(ptr %scratch, ptr %scratch)
  %r = load double, ptr %scratch
  ret double %r
}
declare double @__enzyme_autodiff(...)
define void @gradient(ptr %x, ptr %dx, ptr %s, ptr %ds) {
  call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %x, ptr %dx, metadata !"enzyme_dup", ptr %s, ptr %ds)
  ret void
}
