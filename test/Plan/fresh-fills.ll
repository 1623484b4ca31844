; Memory of which nothing tells what it holds is set to zero. Where the derivative has made it, its shadow holds no
; derivative yet, and is set to zero in both sweeps; a callee is told so. Where it is the user's, or leads to the
; user's, the fill is an error.
; RUN: split-file %s %t
; RUN: %opt -passes=autodiff -disable-output -isozyme-print-after=plan %t/made.ll 2>&1 | FileCheck %t/made.ll
; RUN: not %opt -passes=autodiff -disable-output %t/given.ll 2>&1 | FileCheck %t/given.ll
; RUN: not %opt -passes=autodiff -disable-output %t/reached.ll 2>&1 | FileCheck %t/reached.ll

;--- made.ll
; CHECK: derivative plan for augment(@clears: dup ptr{{.*}} fresh, const i64)
; CHECK: floats or addresses
declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
define void @clears(ptr %p, i64 %n) noinline {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  ret void
}
define double @keeps(ptr %x, i64 %n, i64 %i, i64 %j) {
  %table = call ptr @malloc(i64 %n)
  %number = call ptr @malloc(i64 8)
  call void @clears(ptr %table, i64 %n)
  %v = load double, ptr %x
  store double %v, ptr %number
  %first = getelementptr ptr, ptr %table, i64 %i
  %second = getelementptr ptr, ptr %table, i64 %j
  store ptr %number, ptr %first
  store double %v, ptr %second
  %again = load ptr, ptr %first
  %a = load double, ptr %again
  %b = load double, ptr %second
  call void @clears(ptr %table, i64 %n)
  %r = fmul double %a, %b
  ret double %r
}
define void @main(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @keeps, ptr %x, ptr %dx, i64 32, i64 0, i64 1)
  ret void
}

;--- given.ll
; CHECK: cannot deduce what the memory {{.*}}that is set here holds
declare void @__enzyme_autodiff(...)
define void @clears(ptr %p, i64 %n) noinline {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  ret void
}
define double @given(ptr %table, i64 %n, i64 %i, i64 %j) {
  %first = getelementptr ptr, ptr %table, i64 %i
  %second = getelementptr ptr, ptr %table, i64 %j
  %again = load ptr, ptr %first
  %a = load double, ptr %again
  %b = load double, ptr %second
  call void @clears(ptr %table, i64 %n)
  %r = fmul double %a, %b
  ret double %r
}
define void @main(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @given, ptr %x, ptr %dx, i64 32, i64 0, i64 1)
  ret void
}

;--- reached.ll
; CHECK: cannot deduce what the memory {{.*}}that is set here holds
declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
define void @clears(ptr %p, i64 %n) noinline {
  %table = load ptr, ptr %p
  call void @llvm.memset.p0.i64(ptr %table, i8 0, i64 %n, i1 false)
  ret void
}
define double @reached(ptr %table, i64 %n, i64 %i, i64 %j) {
  %header = call ptr @malloc(i64 8)
  store ptr %table, ptr %header
  %first = getelementptr ptr, ptr %table, i64 %i
  %second = getelementptr ptr, ptr %table, i64 %j
  %again = load ptr, ptr %first
  %a = load double, ptr %again
  %b = load double, ptr %second
  call void @clears(ptr %header, i64 %n)
  %r = fmul double %a, %b
  ret double %r
}
define void @main(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @reached, ptr %x, ptr %dx, i64 32, i64 0, i64 1)
  ret void
}
