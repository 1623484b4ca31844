; Behind a pointer to a class with virtual functions may be an object of any derived class: it is no array of the
; class itself. And the object of a virtual function that is inlined behind a comparison of addresses is of that class
; only where the function is called: what its pointers lead to is left to the rest of the code.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: types of @copyDerived
; CHECK: %object -> starts with {0..8 pointer
; CHECK-LABEL: types of @guarded
; CHECK: %object -> starts with {0..16 pointer}
; CHECK: %inner -> unknown
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg)

define void @copyDerived(ptr %to, ptr %object, i64 %bytes) "isozyme-request"="reverse(dup,dup,const)->const" !dbg !4 {
    #dbg_value(ptr %object, !9, !DIExpression(), !12)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %object, i64 %bytes, i1 false), !dbg !12
  ret void, !dbg !12
}

declare void @show(ptr)

define void @guarded(ptr %to, ptr %object, ptr %called, i64 %bytes) "isozyme-request"="reverse(dup,dup,const,const)->const" !dbg !13 {
  %is = icmp eq ptr %called, @show, !dbg !16
  br i1 %is, label %shown, label %out, !dbg !16
shown:
    #dbg_value(ptr %object, !14, !DIExpression(), !16)
  store i8 0, ptr %to
  br label %out, !dbg !16
out:
  %inner = load ptr, ptr %object
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %inner, i64 %bytes, i1 false), !dbg !16
  ret void, !dbg !16
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "classes.cpp", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "copyDerived", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !8)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!8 = !{!9}
!9 = !DILocalVariable(name: "object", arg: 2, scope: !4, file: !1, line: 2, type: !7)
!12 = !DILocation(line: 3, column: 3, scope: !4)
!13 = distinct !DISubprogram(name: "guarded", scope: !1, file: !1, line: 5, type: !5, scopeLine: 5, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !15)
!14 = !DILocalVariable(name: "object", arg: 2, scope: !13, file: !1, line: 6, type: !20)
!15 = !{!14}
!16 = !DILocation(line: 7, column: 3, scope: !13)
!17 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Base", file: !1, line: 1, size: 64, elements: !18, vtableHolder: !17, identifier: "Base")
!18 = !{!19}
!19 = !DIDerivedType(tag: DW_TAG_member, name: "_vptr$Base", scope: !1, file: !1, baseType: !21, size: 64, flags: DIFlagArtificial)
!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !23, size: 64)
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!22 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !22, size: 64)
