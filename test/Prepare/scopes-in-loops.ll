; What a scope says that is declared in a loop holds for one iteration. Where the declaration goes, it goes. Scopes that
; are declared once stay.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

declare void @llvm.experimental.noalias.scope.decl(metadata)

; CHECK-LABEL: prepared function for @both
; CHECK: %c = load double, ptr %q{{.*}}!noalias
; CHECK: for:
; CHECK: %v = load double, ptr %from, align 8, !alias.scope ![[#]]{{$}}
; CHECK: store double %v, ptr %to, align 8, !alias.scope ![[#]]{{$}}
define void @both(ptr %x, ptr %q, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !6)
  %c = load double, ptr %q, !noalias !6
  store double %c, ptr %x, !alias.scope !6
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i.next, %for ]
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  call void @llvm.experimental.noalias.scope.decl(metadata !4)
  %from = getelementptr double, ptr %x, i64 %i
  %i.next = add nuw nsw i64 %i, 1
  %to = getelementptr double, ptr %x, i64 %i.next
  %v = load double, ptr %from, !alias.scope !4, !noalias !3
  store double %v, ptr %to, !alias.scope !3, !noalias !4
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %for, label %exit
exit:
  ret void
}

!0 = distinct !{!0, !"step"}
!1 = distinct !{!1, !0, !"to"}
!2 = distinct !{!2, !0, !"from"}
!3 = !{!1}
!4 = !{!2}
!5 = distinct !{!5, !0, !"once"}
!6 = !{!5}
