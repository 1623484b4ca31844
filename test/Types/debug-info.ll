; Types from debug information, where the code tells nothing: a record with an array, a
; pointer to itself and a union (which tells nothing), and plain numbers.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: types of @copyAll
; CHECK: %a -> every 40: {0..4 integer, 4..8 unknown, 8..24 float double, 24..32 pointer, 32..40 unknown}
; CHECK-LABEL: types of @copyFloats
; CHECK: %a -> every 4: {0..4 float float}
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define dso_local void @copyAll(ptr noundef writeonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2) "isozyme-request"="reverse(dup,dup,const)->const" !dbg !14 {
    #dbg_value(ptr %0, !38, !DIExpression(), !41)
    #dbg_value(ptr %1, !39, !DIExpression(), !41)
    #dbg_value(i32 %2, !40, !DIExpression(), !41)
  %4 = sext i32 %2 to i64, !dbg !42
  %5 = mul nsw i64 %4, 40, !dbg !43
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %0, ptr align 8 %1, i64 %5, i1 false), !dbg !44
  ret void, !dbg !45
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

define dso_local void @copyFloats(ptr noundef writeonly captures(none) %0, ptr noundef readonly captures(none) %1, i32 noundef %2) "isozyme-request"="reverse(dup,dup,const)->const" !dbg !46 {
    #dbg_value(ptr %0, !54, !DIExpression(), !57)
    #dbg_value(ptr %1, !55, !DIExpression(), !57)
    #dbg_value(i32 %2, !56, !DIExpression(), !57)
  %4 = sext i32 %2 to i64, !dbg !58
  %5 = shl nsw i64 %4, 2, !dbg !59
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %0, ptr align 4 %1, i64 %5, i1 false), !dbg !60
  ret void, !dbg !61
}


!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6, !7, !8}
!llvm.ident = !{!9}
!llvm.errno.tbaa = !{!10}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "records.c", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"PIE Level", i32 2}
!7 = !{i32 7, !"uwtable", i32 2}
!8 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!9 = !{!"clang"}
!10 = !{!11, !11, i64 0}
!11 = !{!"int", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C/C++ TBAA"}
!14 = distinct !DISubprogram(name: "copyAll", scope: !15, file: !15, line: 2, type: !16, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !37, keyInstructions: true)
!15 = !DIFile(filename: "records.c", directory: "")
!16 = !DISubroutineType(types: !17)
!17 = !{null, !18, !35, !22}
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64)
!19 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !15, line: 1, size: 320, elements: !20)
!20 = !{!21, !23, !28, !29}
!21 = !DIDerivedType(tag: DW_TAG_member, name: "n", scope: !19, file: !15, line: 1, baseType: !22, size: 32)
!22 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!23 = !DIDerivedType(tag: DW_TAG_member, name: "v", scope: !19, file: !15, line: 1, baseType: !24, size: 128, offset: 64)
!24 = !DICompositeType(tag: DW_TAG_array_type, baseType: !25, size: 128, elements: !26)
!25 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!26 = !{!27}
!27 = !DISubrange(count: 2)
!28 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !19, file: !15, line: 1, baseType: !18, size: 64, offset: 192)
!29 = !DIDerivedType(tag: DW_TAG_member, name: "u", scope: !19, file: !15, line: 1, baseType: !30, size: 64, offset: 256)
!30 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !19, file: !15, line: 1, size: 64, elements: !31)
!31 = !{!32, !33}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "d", scope: !30, file: !15, line: 1, baseType: !25, size: 64)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "l", scope: !30, file: !15, line: 1, baseType: !34, size: 64)
!34 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!35 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !36, size: 64)
!36 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !19)
!37 = !{!38, !39, !40}
!38 = !DILocalVariable(name: "a", arg: 1, scope: !14, file: !15, line: 2, type: !18)
!39 = !DILocalVariable(name: "b", arg: 2, scope: !14, file: !15, line: 2, type: !35)
!40 = !DILocalVariable(name: "n", arg: 3, scope: !14, file: !15, line: 2, type: !22)
!41 = !DILocation(line: 0, scope: !14)
!42 = !DILocation(line: 2, column: 78, scope: !14)
!43 = !DILocation(line: 2, column: 80, scope: !14)
!44 = !DILocation(line: 2, column: 55, scope: !14, atomGroup: 1, atomRank: 1)
!45 = !DILocation(line: 2, column: 94, scope: !14, atomGroup: 2, atomRank: 1)
!46 = distinct !DISubprogram(name: "copyFloats", scope: !15, file: !15, line: 3, type: !47, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !53, keyInstructions: true)
!47 = !DISubroutineType(types: !48)
!48 = !{null, !49, !51, !22}
!49 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !50, size: 64)
!50 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!51 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !52, size: 64)
!52 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !50)
!53 = !{!54, !55, !56}
!54 = !DILocalVariable(name: "a", arg: 1, scope: !46, file: !15, line: 3, type: !49)
!55 = !DILocalVariable(name: "b", arg: 2, scope: !46, file: !15, line: 3, type: !51)
!56 = !DILocalVariable(name: "n", arg: 3, scope: !46, file: !15, line: 3, type: !22)
!57 = !DILocation(line: 0, scope: !46)
!58 = !DILocation(line: 3, column: 75, scope: !46)
!59 = !DILocation(line: 3, column: 77, scope: !46)
!60 = !DILocation(line: 3, column: 52, scope: !46, atomGroup: 1, atomRank: 1)
!61 = !DILocation(line: 3, column: 91, scope: !46, atomGroup: 2, atomRank: 1)
