; Forward mode in two halves: what the first half writes down, and which locals outlive it:
; those whose address can be found in memory or compared, and no others. Functions that only
; compute are run again.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: record of @ring
; CHECK-NEXT: %h  on the heap, address written down  (the address can be found in memory or compared)
; CHECK-NEXT: store  not repeated
; CHECK-NEXT: %first  written down
; CHECK-NEXT: call @llvm.memcpy.p0.p0.i64  written down  (what is copied may hold addresses)
; CHECK-NEXT: call @llvm.memcpy.p0.p0.i64  not repeated
; CHECK-NEXT: %f  written down
; CHECK-NEXT: %r  a record of its own
; CHECK-NEXT: call @free  put off until the record is released
; CHECK-NOT: {{%own|%s|%p}}
define double @ring(ptr %x, ptr %to, i64 %n, i64 %i) {
  %h = alloca [2 x ptr]
  %own = alloca [8 x double]
  store ptr %h, ptr %h
  %at = getelementptr ptr, ptr %h, i64 %i
  %first = load ptr, ptr %at
  %empty = icmp eq ptr %first, %h
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %h, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %x, i64 64, i1 false)
  %element = getelementptr double, ptr %own, i64 %i
  %f = call double @modf(double 1.5, ptr captures(none) %element)
  %s = call double @sin(double %f)
  %r = call double @callee(ptr %x, ptr captures(none) %own)
  call void @free(ptr %first)
  %p = call double @onlyComputes(double %f)
  %y = select i1 %empty, double %p, double %r
  ret double %y
}
define double @onlyComputes(double %x) noinline {
  %y = fmul double %x, %x
  ret double %y
}
define double @callee(ptr %x, ptr captures(none) %y) noinline {
  %v = load double, ptr %x
  store double %v, ptr %y
  ret double %v
}
define double @call(ptr %x, ptr %d, ptr %to, ptr %dto, ptr %tape) {
  %r = call double (...) @__enzyme_fwdsplit(ptr @ring, ptr %x, ptr %d, ptr %to, ptr %dto, i64 2, i64 0, ptr %tape)
  ret double %r
}
declare double @__enzyme_fwdsplit(...)
declare double @modf(double, ptr)
declare double @sin(double)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
