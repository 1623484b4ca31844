; What is known of a pointer is not known of its shadow: it may be null, and less memory may be behind it.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
@kept = internal global ptr null

; CHECK-LABEL: define internal {{.*}}@forward.f(
; CHECK: %[[OWN:.*]] = icmp eq ptr %[[SHADOW:.*]], %old
; CHECK: %[[RELEASED:.*]] = select i1 %[[OWN]], ptr null, ptr %[[SHADOW]]
; CHECK: call void @free(ptr noundef %[[RELEASED]])
; CHECK: call void @free(ptr noundef nonnull dereferenceable(8) %old)
define double @f(double %x) {
  %old = load ptr, ptr @kept
  %there = icmp ne ptr %old, null
  br i1 %there, label %release, label %allocate

release:
  call void @free(ptr noundef nonnull dereferenceable(8) %old)
  br label %allocate

allocate:
  %new = call ptr @malloc(i64 8)
  store ptr %new, ptr @kept
  store double %x, ptr %new
  %again = load ptr, ptr @kept
  %y = load double, ptr %again
  ret double %y
}

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %d
}
declare ptr @malloc(i64)
declare void @free(ptr)
