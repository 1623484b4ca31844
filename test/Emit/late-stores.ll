; Late stores come after the reverse sweep, in their order, and before memory is released.
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

@enzyme_const = external global i32
declare void @__enzyme_autodiff(ptr, ...)
declare noalias ptr @malloc(i64)
declare void @free(ptr)

define internal void @f(ptr %x, i64 %n, ptr %out) {
entry:
  %block = call ptr @malloc(i64 80)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %w = fmul double %v, %v
  %sum.next = fadd double %sum, %w
  %slot = and i64 %i, 7
  %to = getelementptr double, ptr %block, i64 %slot
  store double %w, ptr %to
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %b = load double, ptr %block
  %r = fadd double %b, %sum.next
  store double %r, ptr %out
  %beside = getelementptr double, ptr %out, i64 1
  store double 2.0, ptr %beside
  call void @free(ptr %block)
  ret void
}
define void @df(ptr %x, ptr %dx, i64 %n, ptr %out, ptr %dout) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, i64 %n, ptr %out, ptr %dout)
  ret void
}
; CHECK-LABEL: define internal void @reverse.f
; CHECK:       done:
; CHECK-NOT:     store double %r
; CHECK:       rev.loop:
; CHECK:         %v.again = load double
; CHECK:       rev.entry:
; CHECK:         store double %r, ptr %out
; CHECK-NEXT:    store double 2.0{{.*}}, ptr %beside
; CHECK-NEXT:    call void @isozyme.release
