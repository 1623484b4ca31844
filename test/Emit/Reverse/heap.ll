; Allocated memory has a shadow, which starts as zero. Both are needed in the reverse sweep, so
; they are released when it is over. The shadow of a block that nobody else knows lies in the memory of tapes.
; RUN: %opt -isozyme-tape-memory=malloc -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s --check-prefix=TAPE

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

; TAPE:       %m.shadow = call {{.*}}ptr @isozyme.tape.push(i64 16)
; TAPE-NEXT:  call void @llvm.memset.p0.i64(ptr align 16 %m.shadow, i8 0, i64 16, i1 false)
; TAPE-NOT:   call void @free
; TAPE:       call void @isozyme.release.later(ptr %m, ptr @isozyme.release.free
; TAPE-NOT:   isozyme.release.later(
; TAPE:       call void @isozyme.tape.pop(ptr %m.shadow)
; TAPE:       call void @isozyme.release.all()
; CHECK:      %m.shadow = call noalias ptr @calloc(i64 1, i64 16)
; CHECK-NOT:  call void @free
; CHECK:      [[OWN:%.*]] = select i1 {{.*}}, ptr null, ptr %m.shadow
; CHECK-NEXT: call void @isozyme.release.later(ptr [[OWN]], ptr @isozyme.release.free
; CHECK-NEXT: call void @isozyme.release.later(ptr %m, ptr @isozyme.release.free
; CHECK:      call void @isozyme.release.all()
