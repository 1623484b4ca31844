; The search for the function ends at a pointer that comes from outside, among others or in
; a slot, at a slot whose address escapes, and at a variable that others may write.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %t/two-stores.ll 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %t/escapes.ll 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %t/shared.ll 2>&1 | FileCheck %s --check-prefix=SHARED
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %t/select.ll 2>&1 | FileCheck %s --check-prefix=SELECT
; CHECK: it is not known here which function to differentiate; {{.*}} [IZ101]
; SHARED: the function to differentiate is what 'shared' holds, which may change; {{.*}} [IZ101]
; SELECT: is chosen at run time; {{.*}} [IZ101]

;--- two-stores.ll
define double @f(double %x) {
  ret double %x
}
declare double @__enzyme_autodiff(...)
define void @caller(double %x, i1 %c, ptr %g) {
  %slot = alloca ptr
  store ptr @f, ptr %slot
  br i1 %c, label %then, label %end
then:
  store ptr %g, ptr %slot
  br label %end
end:
  %which = load ptr, ptr %slot
  call double (...) @__enzyme_autodiff(ptr %which, double %x)
  ret void
}

;--- escapes.ll
define double @f(double %x) {
  ret double %x
}
declare double @__enzyme_autodiff(...)
declare void @use(ptr)
define void @caller(double %x) {
  %slot = alloca ptr
  store ptr @f, ptr %slot
  call void @use(ptr %slot)
  %which = load ptr, ptr %slot
  call double (...) @__enzyme_autodiff(ptr %which, double %x)
  ret void
}

;--- shared.ll
@shared = global ptr @f
define double @f(double %x) {
  ret double %x
}
declare double @__enzyme_autodiff(...)
define void @caller(double %x) {
  %which = load ptr, ptr @shared
  call double (...) @__enzyme_autodiff(ptr %which, double %x)
  ret void
}

;--- select.ll
define double @f(double %x) {
  ret double %x
}
declare double @__enzyme_autodiff(...)
define void @caller(double %x, i1 %c, ptr %g) {
  %which = select i1 %c, ptr @f, ptr %g
  call double (...) @__enzyme_autodiff(ptr %which, double %x)
  ret void
}
