; A record is allocated and set to zero where the graph has one node for it and for the caller's memory. Nobody knows
; what its last bytes hold. Before the reverse sweep its shadow holds addresses and zeros, so it may be set to zero
; all the same: that the function has made it is told by its address. Where that may lead elsewhere, the fill is an error.
; RUN: split-file %s %t
; RUN: %opt -passes=autodiff -disable-output -isozyme-print-after=plan %t/first.ll 2>&1 | FileCheck %t/first.ll
; RUN: %opt -passes=autodiff -disable-output -isozyme-print-after=plan %t/known.ll 2>&1 | FileCheck %t/known.ll
; RUN: %opt -passes=autodiff -disable-output -isozyme-print-after=plan %t/again.ll 2>&1 | FileCheck %t/again.ll
; RUN: not %opt -passes=autodiff -disable-output %t/other.ll 2>&1 | FileCheck %t/other.ll

;--- first.ll
; CHECK: floats or addresses
declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
define void @first(ptr %p, ptr %list) {
entry:
  %record = call ptr @malloc(i64 40)
  store i32 1, ptr %record
  %v = load double, ptr %p
  br label %fill
fill:
  %rest = getelementptr i8, ptr %record, i64 16
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 24, i1 false)
  %link = getelementptr i8, ptr %record, i64 16
  store ptr %p, ptr %link
  %value = getelementptr i8, ptr %record, i64 8
  store double %v, ptr %value
  store ptr %record, ptr %list
  ret void
}
define void @main(ptr %x, ptr %dx, ptr %l, ptr %dl) {
  call void (...) @__enzyme_autodiff(ptr @first, ptr %x, ptr %dx, ptr %l, ptr %dl)
  ret void
}

;--- known.ll
; CHECK: floats or addresses
declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
define void @known(ptr %p, ptr %list) {
  %record = call ptr @malloc(i64 40)
  store i32 1, ptr %record
  %v = load double, ptr %p
  store ptr %record, ptr %list
  %rest = getelementptr i8, ptr %record, i64 16
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 24, i1 false)
  %link = getelementptr i8, ptr %record, i64 16
  store ptr %p, ptr %link
  %value = getelementptr i8, ptr %record, i64 8
  store double %v, ptr %value
  ret void
}
define void @main(ptr %x, ptr %dx, ptr %l, ptr %dl) {
  call void (...) @__enzyme_autodiff(ptr @known, ptr %x, ptr %dx, ptr %l, ptr %dl)
  ret void
}

;--- again.ll
; CHECK: floats or addresses
declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
define void @again(ptr %p, ptr %list) {
  %record = call ptr @malloc(i64 40)
  store i32 1, ptr %record
  %v = load double, ptr %p
  %rest = getelementptr i8, ptr %record, i64 16
  %last = getelementptr i8, ptr %record, i64 32
  call void @llvm.memset.p0.i64(ptr %last, i8 0, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 24, i1 false)
  %link = getelementptr i8, ptr %record, i64 16
  store ptr %p, ptr %link
  %value = getelementptr i8, ptr %record, i64 8
  store double %v, ptr %value
  store ptr %record, ptr %list
  ret void
}
define void @main(ptr %x, ptr %dx, ptr %l, ptr %dl) {
  call void (...) @__enzyme_autodiff(ptr @again, ptr %x, ptr %dx, ptr %l, ptr %dl)
  ret void
}

;--- other.ll
; CHECK: cannot deduce what the memory {{.*}}that is set here holds
declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
define void @other(ptr %p, ptr %list, i1 %new) {
  %made = call ptr @malloc(i64 40)
  %old = load ptr, ptr %list
  %record = select i1 %new, ptr %made, ptr %old
  store i32 1, ptr %record
  %v = load double, ptr %p
  %rest = getelementptr i8, ptr %record, i64 16
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 24, i1 false)
  %link = getelementptr i8, ptr %record, i64 16
  store ptr %p, ptr %link
  %value = getelementptr i8, ptr %record, i64 8
  store double %v, ptr %value
  store ptr %record, ptr %list
  ret void
}
define void @main(ptr %x, ptr %dx, ptr %l, ptr %dl, i1 %new) {
  call void (...) @__enzyme_autodiff(ptr @other, ptr %x, ptr %dx, ptr %l, ptr %dl, i1 %new)
  ret void
}
