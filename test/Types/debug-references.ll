; A reference, and `this`, lead to one object by debug information: what is told of a member by its
; address says nothing of the members around it.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @reference
; CHECK: %r -> starts with {0..8 integer, 8..16 pointer}
; CHECK-NOT: %n:
define void @reference(ptr %r, ptr %s) "isozyme-request"="reverse(dup,dup)->const" !dbg !10 {
  %place = getelementptr i8, ptr %r, i64 8
    #dbg_value(ptr %place, !20, !DIExpression(), !30)
  %p = load ptr, ptr %place
  store ptr %p, ptr %s
  %n = load i64, ptr %r, !tbaa !43
  %count = getelementptr i8, ptr %s, i64 8
  store i64 %n, ptr %count, !tbaa !43
  ret void
}

; CHECK-LABEL: types of @member
; CHECK: %r -> starts with {0..8 integer, 8..16 pointer}
; CHECK-NOT: %n:
define void @member(ptr %r, ptr %s) "isozyme-request"="reverse(dup,dup)->const" !dbg !11 {
  %place = getelementptr i8, ptr %r, i64 8
    #dbg_value(ptr %place, !21, !DIExpression(), !31)
  %p = load ptr, ptr %place
  store ptr %p, ptr %s
  %n = load i64, ptr %r, !tbaa !43
  %count = getelementptr i8, ptr %s, i64 8
  store i64 %n, ptr %count, !tbaa !43
  ret void
}

; A pointer may lead to an array.
; CHECK-LABEL: types of @pointer
; CHECK: %r -> every 8: {0..8 pointer}
define void @pointer(ptr %r, ptr %s) "isozyme-request"="reverse(dup,dup)->const" !dbg !12 {
  %place = getelementptr i8, ptr %r, i64 8
    #dbg_value(ptr %place, !22, !DIExpression(), !32)
  %p = load ptr, ptr %place
  store ptr %p, ptr %s
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "references.cpp", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!5 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!6 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !5, size: 64)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Holder", file: !1, line: 1, size: 64, elements: !{!40})
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
!10 = distinct !DISubprogram(name: "reference", scope: !1, file: !1, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!11 = distinct !DISubprogram(name: "member", scope: !1, file: !1, line: 2, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!12 = distinct !DISubprogram(name: "pointer", scope: !1, file: !1, line: 3, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!20 = !DILocalVariable(name: "place", scope: !10, file: !1, line: 1, type: !6)
!21 = !DILocalVariable(name: "this", scope: !11, file: !1, line: 2, type: !9, flags: DIFlagArtificial)
!22 = !DILocalVariable(name: "place", scope: !12, file: !1, line: 3, type: !7)
!30 = !DILocation(line: 1, scope: !10)
!31 = !DILocation(line: 2, scope: !11)
!32 = !DILocation(line: 3, scope: !12)
!40 = !DIDerivedType(tag: DW_TAG_member, name: "p", file: !1, line: 1, baseType: !5, size: 64)
!41 = !{!"long", !44, i64 0}
!42 = !{!"Simple C++ TBAA"}
!43 = !{!41, !41, i64 0}
!44 = !{!"omnipotent char", !42, i64 0}
