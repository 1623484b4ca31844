; The function is found through casts, aliases, slots written once, constant tables
; (copied or not), and calls that return it.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: reverse(@f: active double) -> active, width 1
; CHECK-NOT: @g

target datalayout = "p:64:64"
@alias = alias double (double), ptr @f
@table = private constant [2 x ptr] [ptr @g, ptr @f]
@variable = internal global ptr @f
@shared = global ptr @f

define double @f(double %x) {
  ret double %x
}
define double @g(double %x) {
  ret double %x
}
; What a lambda's conversion to a function pointer looks like at -O0.
define linkonce_odr ptr @convert(ptr %this) {
  %result = alloca ptr
  store ptr @f, ptr %result
  %r = load ptr, ptr %result
  ret ptr %r
}
define internal ptr @hand_on(ptr %which) {
  %slot = alloca ptr
  store ptr %which, ptr %slot
  %r = load ptr, ptr %slot
  ret ptr %r
}
declare double @__enzyme_autodiff(...)
declare void @use(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @known(double %x) {
  %slot = alloca ptr
  store ptr @f, ptr %slot
  %t0 = load ptr, ptr %slot
  call double (...) @__enzyme_autodiff(ptr %t0, double %x)
  call double (...) @__enzyme_autodiff(ptr @alias, double %x)
  call double (...) @__enzyme_autodiff(i64 ptrtoint (ptr @f to i64), double %x)
  %local = alloca [2 x ptr]
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr @table, i64 16, i1 false)
  %second = getelementptr [2 x ptr], ptr %local, i64 0, i64 1
  %t1 = load ptr, ptr %second
  call double (...) @__enzyme_autodiff(ptr %t1, double %x)
  %t2 = load ptr, ptr getelementptr (i8, ptr @table, i64 8)
  call double (...) @__enzyme_autodiff(ptr %t2, double %x)
  %t3 = load ptr, ptr @variable
  call double (...) @__enzyme_autodiff(ptr %t3, double %x)
  %t4 = call ptr @convert(ptr null)
  call double (...) @__enzyme_autodiff(ptr %t4, double %x)
  %t5 = call ptr @hand_on(ptr @f)
  call double (...) @__enzyme_autodiff(ptr %t5, double %x)
  ret void
}
