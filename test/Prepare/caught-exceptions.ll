; An exception that is caught becomes a way through the code: what throws says so in a variable of the thread and
; returns, and its caller looks there. Of two handlers the helper says which one it is for; cleanups run either way.
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-print-after=prepared -disable-output %s 2>&1 | FileCheck %s
@_ZTId = external constant ptr
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare double @__enzyme_autodiff(ptr, double)

; CHECK-LABEL: prepared function for @catcher
; CHECK: %v = call double @thrower(double %x)
; CHECK: %[[T:.*]] = load ptr
; CHECK: icmp eq ptr %[[T]], null
; CHECK: %[[TYPE:.*]] = call i32 @isozyme.selected(ptr
; CHECK: store ptr null
; CHECK: icmp eq i32 %[[TYPE]], [[DOUBLE:[0-9]+]]
; CHECK: call i64 @isozyme.enter(ptr
; CHECK: call void @__cxa_end_catch()
; CHECK: store ptr %{{.*}}, ptr
; CHECK-LABEL: prepared function for @thrower
; CHECK: call ptr @isozyme.exception.allocate(i64 8)
; CHECK: call void @isozyme.throw(ptr %e, ptr @_ZTId, ptr null)
; CHECK: %[[V:.*]] = call ptr @llvm.threadlocal.address.p0(ptr @isozyme.thrown)
; CHECK-NEXT: store ptr %e, ptr %[[V]]
; CHECK: ret double
define double @thrower(double %x) noinline {
entry:
  %negative = fcmp olt double %x, 0.0
  br i1 %negative, label %throw, label %fine
throw:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  store double %x, ptr %e
  call void @__cxa_throw(ptr %e, ptr @_ZTId, ptr null) noreturn
  unreachable
fine:
  ret double %x
}

define double @catcher(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %v = invoke double @thrower(double %x) to label %fine unwind label %pad
fine:
  ret double %v
pad:
  %p = landingpad { ptr, i32 } cleanup catch ptr @_ZTId
  %object = extractvalue { ptr, i32 } %p, 0
  %selector = extractvalue { ptr, i32 } %p, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTId)
  %fits = icmp eq i32 %selector, %id
  br i1 %fits, label %handler, label %on
handler:
  %thing = call ptr @__cxa_begin_catch(ptr %object)
  %number = load double, ptr %thing
  call void @__cxa_end_catch()
  %square = fmul double %number, %number
  ret double %square
on:
  resume { ptr, i32 } %p
}
declare i32 @llvm.eh.typeid.for.p0(ptr)

define double @gradient(double %x) {
  %d = call double @__enzyme_autodiff(ptr @catcher, double %x)
  ret double %d
}
