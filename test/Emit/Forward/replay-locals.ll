; A local that is seen by its address: in the first half on the heap, with its address in the
; record; in the second half the address is what it was, and there is no such local. One that
; is not seen stays what it is.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

define double @f(ptr %x, i64 %i) {
  %h = alloca [2 x ptr], align 64
  %own = alloca [2 x double]
  store ptr %h, ptr %h
  %at = getelementptr ptr, ptr %h, i64 %i
  %first = load ptr, ptr %at
  %same = icmp eq ptr %first, %h
  %v = load double, ptr %x
  %element = getelementptr double, ptr %own, i64 %i
  store double %v, ptr %element
  %w = load double, ptr %own
  %r = select i1 %same, double %w, double 1.0
  ret double %r
}
; CHECK-LABEL: define internal double @record.f(
; CHECK: %h = call ptr @isozyme.tape.allocate.aligned(i64 16, i64 64)
; CHECK-NEXT: store ptr %h, ptr %record.slot
; CHECK-NEXT: call void @isozyme.record.write(ptr %record,
; CHECK-NEXT: call void @isozyme.record.put.off(ptr %record, ptr %h, ptr @isozyme.record.release.local,
; CHECK-NEXT: %own = alloca [2 x double]
; CHECK: store ptr %h, ptr %h

; CHECK-LABEL: define internal { double } @replay.f(
; CHECK-NOT: alloca [2 x ptr]
; CHECK: call void @isozyme.record.rewind(ptr %record)
; CHECK-NEXT: call void @isozyme.record.read(
; CHECK-NEXT: %h = load ptr
; CHECK-NOT: store ptr
; CHECK: %first = load ptr, ptr %record.slot
; CHECK-NEXT: %same = icmp eq ptr %first, %h
; CHECK: ret { double }

define double @call(ptr %x, ptr %d) {
  %a = call { ptr, double } (...) @__enzyme_augmentfwd(ptr @f, ptr %x, ptr %d, i64 1)
  %t = extractvalue { ptr, double } %a, 0
  %r = call double (...) @__enzyme_fwdsplit(ptr @f, ptr %x, ptr %d, i64 1, ptr %t)
  ret double %r
}
declare { ptr, double } @__enzyme_augmentfwd(...)
declare double @__enzyme_fwdsplit(...)
