; Accesses say where they are and where they are not: the reverse of the store through %c is apart from
; the shadows of %a and %b, which may be one. Shadows and tape are apart from the primal's memory.
; RUN: %opt -isozyme-fuse=0 -passes='autodiff<no-cleanup>' -S %s | FileCheck %s
; RUN: %opt -isozyme-fuse=0 -isozyme-apart=false -passes='autodiff<no-cleanup>' -S %s | FileCheck %s --check-prefix=OFF
; OFF-NOT: alias.scope

declare double @__enzyme_autodiff(ptr, ...)
@enzyme_dup = external global i32

define void @products(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %pa = getelementptr double, ptr %a, i64 %i
  %pb = getelementptr double, ptr %b, i64 %i
  %pc = getelementptr double, ptr %c, i64 %i
  %x = load double, ptr %pa
  %y = load double, ptr %pb
  %z = fmul double %x, %y
  %e = call double @exp(double %z)
  store double %e, ptr %pc
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare double @exp(double)

define void @gradient(ptr %a, ptr %da, ptr %b, ptr %db, ptr %c, ptr %dc, i64 %n) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @products, ptr @enzyme_dup, ptr %a, ptr %da, ptr @enzyme_dup, ptr %b, ptr %db, ptr @enzyme_dup, ptr %c, ptr %dc, i64 %n)
  ret void
}

; CHECK-LABEL: define internal {{.*}}@reverse.products
; Each scope is declared where the derivative begins.
; CHECK: @llvm.experimental.noalias.scope.decl(metadata [[GIVEN_ONLY:![0-9]+]])
; CHECK-NEXT: call void @llvm.experimental.noalias.scope.decl(metadata [[FOUND_ONLY:![0-9]+]])
; CHECK-NEXT: call void @llvm.experimental.noalias.scope.decl(metadata [[C_ONLY:![0-9]+]])
; CHECK-NEXT: call void @llvm.experimental.noalias.scope.decl(metadata [[TAPE_ONLY:![0-9]+]])
; The forward sweep reads primal memory, and writes the tape.
; CHECK: load double, ptr %pa, align 8, !noalias [[ALL:![0-9]+]]
; CHECK: store double %e, ptr %tape.at, align 8, !alias.scope [[TAPE_ONLY]], !noalias [[SHADOWS:![0-9]+]]
; CHECK: store double %e, ptr %pc, align 8, !noalias [[ALL]]
; CHECK: rev.loop:
; CHECK: load double, ptr {{.*}}, align 8, !alias.scope [[C_ONLY]], !noalias [[REST:![0-9]+]]
; CHECK: store double 0.000000e+00, ptr {{.*}}, align 8, !alias.scope [[C_ONLY]], !noalias [[REST]]
; CHECK: %e.kept = load double, {{.*}}, !alias.scope [[TAPE_ONLY]], !noalias [[SHADOWS]]
; CHECK: %x.again = load double, ptr {{.*}}, !noalias [[ALL]]
; CHECK: store double {{.*}}, align 8, !alias.scope [[GIVEN_ONLY]], !noalias [[NOT_GIVEN:![0-9]+]]
; CHECK: store double {{.*}}, align 8, !alias.scope [[GIVEN_ONLY]], !noalias [[NOT_GIVEN]]
; CHECK-DAG: [[GIVEN_ONLY]] = !{[[GIVEN:![0-9]+]]}
; CHECK-DAG: [[GIVEN]] = distinct !{[[GIVEN]], {{.*}}, !"shadows"}
; CHECK-DAG: [[C_ONLY]] = !{[[C:![0-9]+]]}
; CHECK-DAG: [[C]] = distinct !{[[C]], {{.*}}, !"c"}
; CHECK-DAG: [[TAPE_ONLY]] = !{[[TAPE:![0-9]+]]}
; CHECK-DAG: [[TAPE]] = distinct !{[[TAPE]], {{.*}}, !"tape"}
; CHECK-DAG: [[FOUND:![0-9]+]] = distinct !{{{.*}}, !"shadows found in memory"}
; CHECK-DAG: [[ALL]] = !{[[GIVEN]], [[FOUND]], [[C]], [[TAPE]]}
; CHECK-DAG: [[SHADOWS]] = !{[[GIVEN]], [[FOUND]], [[C]]}
; CHECK-DAG: [[REST]] = !{[[GIVEN]], [[FOUND]], [[TAPE]]}
; CHECK-DAG: [[NOT_GIVEN]] = !{[[C]], [[TAPE]]}
