; What only guides the optimiser is left out.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @marked
; CHECK-NOT: call {{.*}}@llvm.{{lifetime|assume|prefetch|expect|experimental|stack}}
; CHECK: = call double @sin(double %x)
; CHECK-NOT: icmp
; CHECK: ret double
define double @marked(double %x, i64 %n, ptr %p) {
  %buffer = alloca [4 x double]
  call void @llvm.lifetime.start.p0(ptr %buffer)
  call void @fill(ptr %buffer)
  %s = call ptr @llvm.stacksave.p0()
  %positive = icmp sgt i64 %n, 0
  call void @llvm.assume(i1 %positive)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 0, i32 1)
  %m = call i64 @llvm.expect.i64(i64 %n, i64 1)
  %q = getelementptr double, ptr %p, i64 %m
  store double %x, ptr %q
  call void @llvm.stackrestore.p0(ptr %s)
  call void @llvm.lifetime.end.p0(ptr %buffer)
  %y = tail call double @sin(double %x)
  ret double %y
}
declare void @fill(ptr)
declare double @sin(double)
