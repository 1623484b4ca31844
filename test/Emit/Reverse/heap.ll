; Allocated memory has a shadow, which starts as zero. Both are needed in the reverse sweep, so
; they are released when it is over.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s

define double @f(double %x, i64 %i) {
  %m = call ptr @malloc(i64 16)
  %p = getelementptr double, ptr %m, i64 %i
  store double 1.0, ptr %m
  store double %x, ptr %p
  %v = load double, ptr %m
  call void @free(ptr %m)
  ret double %v
}
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @free(ptr) allockind("free") "alloc-family"="malloc"
declare double @__enzyme_autodiff(ptr, ...)
define double @df(double %x, i64 %i) {
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %i)
  ret double %g
}

; CHECK:      %m.shadow = call noalias ptr @calloc(i64 1, i64 16)
; CHECK-NOT:  call void @free
; CHECK:      [[OWN:%.*]] = select i1 {{.*}}, ptr null, ptr %m.shadow
; CHECK-NEXT: call void @isozyme.release.later(ptr [[OWN]], ptr @isozyme.release.free
; CHECK-NEXT: call void @isozyme.release.later(ptr %m, ptr @isozyme.release.free
; CHECK:      call void @isozyme.release.all()
