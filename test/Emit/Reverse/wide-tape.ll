; Memory of tapes is malloc's, which is aligned to 16 bytes. Vectors of 32 bytes on it say so.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define {{.*}}@reverse.squares(
; CHECK: store <4 x double> %v, ptr %{{.*}}, align 16
; CHECK: %v.kept = load <4 x double>, ptr %{{.*}}, align 16
define double @squares(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x double> [ zeroinitializer, %entry ], [ %t, %loop ]
  %at = getelementptr <4 x double>, ptr %p, i64 %i
  %v = load <4 x double>, ptr %at, align 32
  %w = fmul <4 x double> %v, %v
  store <4 x double> %w, ptr %at, align 32
  %t = fadd <4 x double> %s, %w
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = extractelement <4 x double> %t, i64 1
  ret double %r
}
declare void @__enzyme_autodiff(ptr, ...)
define void @caller(ptr %p, ptr %d, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @squares, ptr %p, ptr %d, i64 %n)
  ret void
}
