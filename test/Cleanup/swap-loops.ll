; The reverse of a product of matrices: loops that the plan has marked change places, both count up,
; what all iterations add to one element stays in a register, and stores of zero get a loop of
; their own. LLVM vectorises the inner loop.
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --implicit-check-not=isozyme.swap
; RUN: %opt -passes='autodiff,default<O2>' -force-vector-width=2 -S %s | FileCheck %s --check-prefix=FAST

; CHECK-LABEL: define void @gradient(
; CHECK: [[K:rev.*.outside]]:
; CHECK: phi i64 [ 0,
; CHECK: [[J:rev.*.inside]]:
; CHECK: phi i64 [ 0, %[[K]] ]
; CHECK: %[[TOTAL:.*]] = phi double [ -0.0{{.*}}, %[[K]] ], [ %[[MORE:.*]], %[[J]] ]
; CHECK: store double
; CHECK: %[[MORE]] = fadd reassoc {{.*}}%[[TOTAL]]
; CHECK-NOT: store
; CHECK: br i1 {{.*}}%[[J]]
; CHECK: %[[ALL:.*]] = fadd {{.*}}%[[MORE]]
; CHECK-NEXT: store double %[[ALL]],
; CHECK: br i1 {{.*}}%[[K]]
; CHECK: rev{{.*}}.stores:
; CHECK: store double 0.0
; FAST-LABEL: define void @gradient(
; FAST: phi <2 x double>
define void @product(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) {
entry:
  br label %j.for
j.for:
  %j = phi i64 [0, %entry], [%j.next, %j.end]
  %column = getelementptr inbounds double, ptr %b, i64 %j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %s = phi double [0.0, %j.for], [%sum, %k.for]
  %at.a = getelementptr inbounds double, ptr %a, i64 %k
  %x = load double, ptr %at.a
  %row = mul nuw nsw i64 %k, %n
  %at.b = getelementptr inbounds double, ptr %column, i64 %row
  %y = load double, ptr %at.b
  %sum = call double @llvm.fmuladd.f64(double %x, double %y, double %s)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %k.for, label %j.end
j.end:
  %at.c = getelementptr inbounds double, ptr %c, i64 %j
  store double %sum, ptr %at.c
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.for, label %exit
exit:
  ret void
}

define void @gradient(ptr %a, ptr %da, ptr %b, ptr %db, ptr %c, ptr %dc, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @product, metadata !"enzyme_dup", ptr %a, ptr %da, metadata !"enzyme_dup", ptr %b, ptr %db, metadata !"enzyme_dup", ptr %c, ptr %dc, i64 %n)
  ret void
}
declare double @llvm.fmuladd.f64(double, double, double)
declare void @__enzyme_autodiff(...)
