; The shadow of a global variable is a variable of its own; what the user calls clears it
; first and translates addresses. Memory from before is found in pages.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

; CHECK-DAG: @kept.shadow = internal global double 0.000000e+00
; CHECK-DAG: @work.shadow = internal global ptr null
; CHECK-DAG: @local.shadow = internal thread_local global double 0.000000e+00
@kept = global double 1.0
@work = internal global ptr null
@local = thread_local global double 0.0

; CHECK-LABEL: define internal { double } @reverse.g(
; CHECK: load volatile double, ptr @kept.shadow
; CHECK: store double 0.000000e+00, ptr @kept.shadow
; CHECK-LABEL: define internal { double } @reverse.g.started(
; CHECK-NEXT: call void @reverse.g.start()
; CHECK-NEXT: call { double } @reverse.g(
; CHECK-LABEL: define internal void @reverse.g.start()
; CHECK: call void @llvm.memset{{.*}}(ptr @kept.shadow, i8 0, i64 8
define double @g(double %x) {
  store double %x, ptr @kept
  %v = load volatile double, ptr @kept
  ret double %v
}

; CHECK-LABEL: define internal { double } @reverse.h(
; CHECK: %p.shadow = load ptr, ptr @work.shadow
; CHECK: [[AT:%.*]] = call ptr @isozyme.shadow.at(ptr %p, ptr %p.shadow, i64 0)
; CHECK: load volatile double, ptr [[AT]]
; CHECK-LABEL: define internal { double } @reverse.h.started(
; CHECK: call void @isozyme.pages.release()
; CHECK: call { double } @reverse.h(
; CHECK: call void @isozyme.pages.release()
define double @h(double %x) {
  %p = load ptr, ptr @work
  store double %x, ptr %p
  %v = load volatile double, ptr %p
  ret double %v
}

; CHECK-LABEL: define internal { double } @reverse.t(
; CHECK: [[S:%.*]] = call ptr @llvm.threadlocal.address.p0(ptr @local.shadow)
; CHECK: load volatile double, ptr [[S]]
define double @t(double %x) {
  %a = call ptr @llvm.threadlocal.address.p0(ptr @local)
  store double %x, ptr %a
  %v = load volatile double, ptr %a
  ret double %v
}
define void @call(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @g, double %x)
  %s = call double (...) @__enzyme_autodiff(ptr @h, double %x)
  %t = call double (...) @__enzyme_autodiff(ptr @t, double %x)
  ret void
}
declare double @__enzyme_autodiff(...)
declare ptr @llvm.threadlocal.address.p0(ptr)
