; Of the functions that a pointer may lead to, some pass theirs on with fewer arguments than it takes. A run does not
; come to these calls: one that does ends with a message. Where every run comes to the call, it is an error.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
; RUN: sed -e 's/(ptr @perhaps,/(ptr @certain,/' -e 's/, i1 .c)$/)/' %s > %t.ll
; RUN: not %opt -passes='autodiff<no-cleanup>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=CERTAIN
; CERTAIN: 'handler' is called with a type that is not its own{{.*}}[IZ201]
; CHECK: 'handler' is called with fewer arguments than it takes [IZ201]
define internal double @handler(ptr %p, ptr %q, double %x) {
  %v = load double, ptr %p
  store double %x, ptr %q
  ret double %v
}
define double @perhaps(ptr %p, i1 %c) {
  br i1 %c, label %call, label %done
call:
  call void @handler(ptr %p)
  br label %done
done:
  %v = load double, ptr %p
  ret double %v
}
define double @certain(ptr %p) {
  call void @handler(ptr %p)
  %v = load double, ptr %p
  ret double %v
}
declare double @__enzyme_autodiff(ptr, ...)
define void @gradients(ptr %p, i1 %c, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @perhaps, ptr %p, ptr %dp, i1 %c)
  ret void
}
