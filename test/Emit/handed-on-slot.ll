; What a loop hands on from iteration to iteration is kept behind the load of the next one: LLVM makes vectors of a loop
; only if nothing that it cannot move uses the last one in front of that.
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-undo=never -S %s | FileCheck %s
; RUN: %opt -passes='autodiff,loop-vectorize' -force-vector-width=2 -isozyme-undo=never -S %s | FileCheck %s --check-prefix=VECTORS

; CHECK-LABEL: define void @gradient
; CHECK: {{^}}for:
; CHECK: %here = phi double
; CHECK-NOT: store
; CHECK: %next = load double
; CHECK-NEXT: [[AT:%.*]] = {{.*}}
; CHECK: store double %here, ptr %tape.at
; CHECK: br i1

; VECTORS-LABEL: define void @gradient
; VECTORS: load <2 x double>
; VECTORS: store <2 x double>

define void @f(ptr noalias %u, ptr noalias %out, i64 %n) {
entry:
  %first = load double, ptr %u
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %here = phi double [%first, %entry], [%next, %for]
  %square = fmul double %here, %here
  %i.next = add nuw nsw i64 %i, 1
  %at = getelementptr inbounds double, ptr %u, i64 %i.next
  %next = load double, ptr %at
  %sum = fmul double %square, %next
  %to = getelementptr inbounds double, ptr %out, i64 %i
  store double %sum, ptr %to
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %for
exit:
  ret void
}
declare void @__enzyme_autodiff(...)
define void @gradient(ptr %u, ptr %du, ptr %out, ptr %dout, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %u, ptr %du, metadata !"enzyme_dup", ptr %out, ptr %dout, i64 %n)
  ret void
}
