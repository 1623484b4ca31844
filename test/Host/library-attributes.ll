; A body that Isozyme lends to a function of a library says nothing of that function: when it is taken
; back, the declaration has the attributes that it had. Else stores before a call would go that the
; library reads, and the body does not.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s
; CHECK: define double @slope(
; CHECK: declare void @_FortranAAllocatableSetBounds(ptr nonnull, i32, i64, i64){{( local_unnamed_addr)?$}}

define double @area(double %x) {
  %d = alloca [72 x i8], align 8
  %rank = getelementptr i8, ptr %d, i64 20
  store i8 1, ptr %rank
  call void @_FortranAAllocatableSetBounds(ptr %d, i32 0, i64 1, i64 3)
  %at = getelementptr i8, ptr %d, i64 32
  %extent = load i64, ptr %at
  %n = sitofp i64 %extent to double
  %sq = fmul double %x, %x
  %r = fmul double %n, %sq
  ret double %r
}
define double @slope(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @area, double %x)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
declare void @_FortranAAllocatableSetBounds(ptr nonnull, i32, i64, i64)
