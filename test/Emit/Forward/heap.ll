; The shadow is allocated like the primal, zeroed, and freed when the primal is.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(double %x, i64 %n) {
  %size = mul i64 %n, 8
  %m = call ptr @malloc(i64 %size)
  store double %x, ptr %m, align 8
  %p = getelementptr inbounds double, ptr %m, i64 %n
  %last = getelementptr inbounds i8, ptr %p, i64 -8
  %y = load double, ptr %last, align 8
  call void @free(ptr %m)
  ret double %y
}
declare noalias ptr @malloc(i64)
declare void @free(ptr)

declare double @__enzyme_fwddiff(ptr, ...)
define double @df(double %x, i64 %n) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0, i64 %n)
  ret double %r
}
; CHECK: %m.shadow = call {{.*}}ptr @calloc(i64 1, i64 %size)
; CHECK: store double %x.tan, ptr %m.shadow, align 8
; CHECK: [[SAME:%.*]] = icmp eq ptr %m.shadow, %m
; CHECK: [[FREED:%.*]] = select i1 [[SAME]], ptr null, ptr %m.shadow
; CHECK: call void @free(ptr [[FREED]])
; CHECK: call void @free(ptr %m)
