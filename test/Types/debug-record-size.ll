; Flang's debug information gives a record the size without what follows its last member. From element to
; element of an array it is as far as the alignment of the members asks for.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: types of @copyRecords
; CHECK: %a -> every 24: {0..16 float double, 16..20 integer, 20..24 {{unknown|anything}}}
define void @copyRecords(ptr %descriptor, ptr %to, i64 %bytes) "isozyme-request"="reverse(dup,dup,const)->const" !dbg !4 {
    #dbg_declare(ptr %descriptor, !9, !DIExpression(), !12)
  %a = load ptr, ptr %descriptor, !dbg !12
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %a, i64 %bytes, i1 false), !dbg !12
  ret void, !dbg !12
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Fortran95, file: !1, producer: "flang", isOptimized: true, runtimeVersion: 0, emissionKind: NoDebug)
!1 = !DIFile(filename: "copy.f90", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "copy", linkageName: "copyRecords", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !8)
!5 = !DISubroutineType(types: !6)
!6 = !{null, !7}
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, elements: !11, dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref))
!8 = !{!9}
!9 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 2, type: !7)
!10 = !DIBasicType(name: "real(kind=8)", size: 64, encoding: DW_ATE_float)
!11 = !{!13}
!12 = !DILocation(line: 3, column: 3, scope: !4)
!13 = !DISubrange(count: !DIExpression(DW_OP_push_object_address, DW_OP_plus_uconst, 32, DW_OP_deref))
!14 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "particle", scope: !1, file: !1, line: 1, size: 160, elements: !15)
!15 = !{!16, !17, !18}
!16 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !10, size: 64, align: 64)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "mass", baseType: !10, size: 64, align: 64, offset: 64)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "id", baseType: !19, size: 32, align: 32, offset: 128)
!19 = !DIBasicType(name: "integer", size: 32, encoding: DW_ATE_signed)
