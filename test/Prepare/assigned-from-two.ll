; A record of an assignment whose value comes from two operands keeps both, and its place: LLVM's code
; generator crashed where the second one was missing.
; RUN: %opt %s -passes='print<isozyme-prepared>' -disable-output 2>&1 | FileCheck %s

; CHECK: prepared function for @f
; CHECK: #dbg_value(!DIArgList(i32 %a, i32 %b), [[V:![0-9]+]], !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)
; CHECK-NEXT: #dbg_value(i32 7, [[V]],

define double @f(i32 %a, i32 %b, double %x) !dbg !5 {
    #dbg_assign(!DIArgList(i32 %a, i32 %b), !9, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !12, ptr poison, !DIExpression(), !11)
    #dbg_value(i32 7, !9, !DIExpression(), !11)
  %y = fmul double %x, %x, !dbg !11
  ret double %y, !dbg !11
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{!8, !8}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocalVariable(name: "v", scope: !5, file: !1, line: 2, type: !8)
!11 = !DILocation(line: 2, scope: !5)
!12 = distinct !DIAssignID()
