; Before anything is inlined, a record that is passed by value is copied by a copy that names its members; and floats
; that are read to be passed in registers get their names. Unions stay what they are, and so do functions without any
; alias metadata, and records that it does not tell apart or that are accessed as characters: those may alias anything.
; RUN: %opt -passes=preserve-nvvm -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.Vec = type { double, double }
%struct.Box = type { %struct.Vec, %union.u, i32 }
%struct.Alias = type { double, double }
%struct.Unknown = type { double, double }
%union.u = type { double }
%struct.Numbers = type { i64, i64, i64 }

; CHECK-LABEL: define double @caller
; CHECK: %named = alloca %struct.Box
; CHECK: load double, ptr %x, align 8, !tbaa [[DOUBLE:!.*]]
; CHECK: %bits = load double, ptr %u, align 8{{$}}
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %named, ptr align 8 %b, i64 32, i1 false), !tbaa.struct [[FIELDS:!.*]]
; CHECK: call double @byValue(ptr byval(%struct.Box) align 8 %named)
; CHECK: call double @numbers(ptr byval(%struct.Numbers) align 8 %n)
define double @caller(ptr %b, ptr %n) {
  store i32 1, ptr %n, !tbaa !1
  %k = getelementptr inbounds %struct.Box, ptr %b, i32 0, i32 2
  store i32 1, ptr %k, !tbaa !5
  %v = getelementptr inbounds %struct.Box, ptr %b, i32 0, i32 0
  store double 1.0, ptr %v, !tbaa !8
  %x = getelementptr inbounds { double, double }, ptr %v, i32 0, i32 0
  %first = load double, ptr %x, align 8
  %u = getelementptr inbounds %struct.Box, ptr %b, i32 0, i32 1
  %bits = load double, ptr %u, align 8
  %r = call double @byValue(ptr byval(%struct.Box) align 8 %b)
  %s = call double @numbers(ptr byval(%struct.Numbers) align 8 %n)
  %t = fadd double %first, %r
  ret double %t
}
; CHECK-LABEL: define double @others
; CHECK: load double, ptr %p, align 8{{$}}
; CHECK: load double, ptr %q, align 8{{$}}
; CHECK: call double @alias(ptr byval(%struct.Alias) align 8 %a)
define double @others(ptr %a, ptr %b) {
  %char = getelementptr inbounds %struct.Alias, ptr %a, i32 0, i32 1
  store double 1.0, ptr %char, !tbaa !12
  %named = getelementptr inbounds %struct.Alias, ptr %a, i32 0, i32 0
  store double 1.0, ptr %named, !tbaa !9
  %p = getelementptr inbounds %struct.Alias, ptr %a, i32 0, i32 1
  %first = load double, ptr %p, align 8
  %q = getelementptr inbounds %struct.Unknown, ptr %b, i32 0, i32 1
  %second = load double, ptr %q, align 8
  %r = call double @alias(ptr byval(%struct.Alias) align 8 %a)
  %t = fadd double %first, %second
  ret double %t
}
; CHECK-LABEL: define double @without
; CHECK-NEXT: %r = call double @byValue(ptr byval(%struct.Box) align 8 %b)
define double @without(ptr %b) {
  %r = call double @byValue(ptr byval(%struct.Box) align 8 %b)
  ret double %r
}
declare double @byValue(ptr byval(%struct.Box) align 8)
declare double @alias(ptr byval(%struct.Alias) align 8)
declare double @numbers(ptr byval(%struct.Numbers) align 8)

; CHECK-DAG: [[FIELDS]] = !{i64 0, i64 8, [[DOUBLE]], i64 8, i64 8, [[DOUBLE]], i64 16, i64 8, [[CHAR:!.*]], i64 24, i64 4, [[CHAR]]}
; CHECK-DAG: [[DOUBLE]] = !{[[D:!.*]], [[D]], i64 0}
; CHECK-DAG: [[D]] = !{!"double", [[C:!.*]], i64 0}
; CHECK-DAG: [[CHAR]] = !{[[C]], [[C]], i64 0}
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!6, !2, i64 24}
!6 = !{!"Box", !7, i64 0, !3, i64 16, !2, i64 24}
!7 = !{!"_ZTS3Vec", !11, i64 0, !11, i64 8}
!8 = !{!7, !11, i64 0}
!9 = !{!10, !11, i64 0}
!10 = !{!"Alias", !11, i64 0, !11, i64 8}
!11 = !{!"double", !3, i64 0}
!12 = !{!3, !3, i64 0}
