; A function that the run time calls when a thrown object, a thread or the program ends is not what a pointer of the
; program leads to, unless the program keeps its address, too.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

@_ZTI5Error = external constant ptr
@__dso_handle = external hidden global i8
@elsewhere = global ptr @kept

declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare i32 @__cxa_atexit(ptr, ptr, ptr)

define void @destroysError(ptr %p) noinline {
  store double 0.0, ptr %p
  ret void
}
define void @endsProgram(ptr %p) noinline {
  store double 1.0, ptr %p
  ret void
}
define void @kept(ptr %p) noinline {
  store double 2.0, ptr %p
  ret void
}
define void @both(ptr %p) noinline {
  store double 3.0, ptr %p
  ret void
}
define void @keptByHelper(ptr %p) noinline {
  store double 4.0, ptr %p
  ret void
}
define internal void @throws(ptr %ends) {
  %e = call ptr @__cxa_allocate_exception(i64 8)
  call void @__cxa_throw(ptr %e, ptr @_ZTI5Error, ptr %ends)
  unreachable
}
define internal void @keeps(ptr %ends) {
  store ptr %ends, ptr @elsewhere
  %x = call i32 @__cxa_atexit(ptr %ends, ptr null, ptr @__dso_handle)
  ret void
}
define void @other() {
  store ptr @both, ptr @elsewhere
  %x = call i32 @__cxa_atexit(ptr @endsProgram, ptr null, ptr @__dso_handle)
  %y = call i32 @__cxa_atexit(ptr @both, ptr null, ptr @__dso_handle)
  call void @keeps(ptr @keptByHelper)
  call void @throws(ptr @destroysError)
  ret void
}

; CHECK-LABEL: prepared function for @f
; CHECK-NOT: @destroysError
; CHECK-NOT: @endsProgram
; CHECK: icmp eq ptr %ends, @kept
; CHECK: icmp eq ptr %ends, @both
; CHECK: icmp eq ptr %ends, @keptByHelper
; CHECK-NOT: @destroysError
; CHECK-NOT: @endsProgram
define double @f(ptr %p) "isozyme-request"="reverse(dup)->active" {
  %ends = load ptr, ptr @elsewhere
  call void %ends(ptr %p)
  %r = load double, ptr %p
  ret double %r
}
