; A derivative has a subprogram of its own, with the lines of the primal: once in the function, and
; once more, in a block, for the reverse part. Unnamed values have the names of their variables.
; RUN: %opt %s -passes='autodiff<no-cleanup>' -S | FileCheck %s

declare double @__enzyme_autodiff(...)
declare double @sin(double)

define double @f(double %0) !dbg !5 {
    #dbg_value(double %0, !9, !DIExpression(), !11)
  %2 = call double @sin(double %0), !dbg !12
    #dbg_value(double %2, !10, !DIExpression(), !11)
  %3 = fmul double %2, %2, !dbg !13
  ret double %3, !dbg !14
}

define double @df(double %x) !dbg !20 {
  %d = call double (...) @__enzyme_autodiff(ptr @f, double %x), !dbg !21
  ret double %d, !dbg !21
}

; CHECK: define internal { double } @reverse.f(double %x, double %seed){{.*}} !dbg [[PROGRAM:![0-9]+]]
; CHECK: call double @sin(double %x){{.*}} !dbg [[SIN:![0-9]+]]
; CHECK: rev:
; CHECK: fmul {{.*}}double {{.*}} !dbg [[PRODUCT:![0-9]+]]
; CHECK: #dbg_value(double %{{.*}}, [[S_ADJ:![0-9]+]], !DIExpression(),
; CHECK: call double @cos(double %x){{.*}} !dbg [[COS:![0-9]+]]
; CHECK: #dbg_value(double %{{.*}}, [[X_ADJ:![0-9]+]], !DIExpression(),

; CHECK-DAG: [[PROGRAM]] = distinct !DISubprogram(name: "gradient of f", {{.*}}line: 1,{{.*}} flags: DIFlagArtificial
; CHECK-DAG: [[SIN]] = !DILocation(line: 2, column: 14, scope: [[PROGRAM]])
; CHECK-DAG: [[BLOCK:![0-9]+]] = distinct !DILexicalBlock(scope: [[PROGRAM]],
; CHECK-DAG: [[COS]] = !DILocation(line: 2, column: 14, scope: [[BLOCK]])
; CHECK-DAG: [[PRODUCT]] = !DILocation(line: 3, column: 12, scope: [[BLOCK]])
; CHECK-DAG: [[S_ADJ]] = !DILocalVariable(name: "s_adj", scope: [[BLOCK]]
; CHECK-DAG: [[X_ADJ]] = !DILocalVariable(name: "x_adj",

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !15)
!6 = !DISubroutineType(types: !7)
!7 = !{!8, !8}
!8 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!9 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !1, line: 1, type: !8)
!10 = !DILocalVariable(name: "s", scope: !5, file: !1, line: 2, type: !8)
!11 = !DILocation(line: 1, scope: !5)
!12 = !DILocation(line: 2, column: 14, scope: !5)
!13 = !DILocation(line: 3, column: 12, scope: !5)
!14 = !DILocation(line: 3, column: 3, scope: !5)
!15 = !{!9, !10}
!20 = distinct !DISubprogram(name: "df", scope: !1, file: !1, line: 5, type: !6, scopeLine: 5, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!21 = !DILocation(line: 6, column: 10, scope: !20)
