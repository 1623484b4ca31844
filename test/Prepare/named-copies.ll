; Before anything is inlined, a record that is passed by value is copied by a copy that names its members; and floats
; that are read to be passed in registers get their names. Unions stay what they are, and so do functions without any
; alias metadata.
; RUN: %opt -passes=preserve-nvvm -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%Vec = type { double, double }
%Box = type { %Vec, %union.u, i32 }
%union.u = type { double }
%Numbers = type { i64, i64, i64 }

; CHECK-LABEL: define double @caller
; CHECK: %named = alloca %Box
; CHECK: load double, ptr %x, align 8, !tbaa [[DOUBLE:!.*]]
; CHECK: %bits = load double, ptr %u, align 8{{$}}
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %named, ptr align 8 %b, i64 32, i1 false), !tbaa.struct [[FIELDS:!.*]]
; CHECK: call double @byValue(ptr byval(%Box) align 8 %named)
; CHECK: call double @numbers(ptr byval(%Numbers) align 8 %n)
define double @caller(ptr %b, ptr %n) {
  store i32 1, ptr %n, !tbaa !1
  %v = getelementptr inbounds %Box, ptr %b, i32 0, i32 0
  %x = getelementptr inbounds { double, double }, ptr %v, i32 0, i32 0
  %first = load double, ptr %x, align 8
  %u = getelementptr inbounds %Box, ptr %b, i32 0, i32 1
  %bits = load double, ptr %u, align 8
  %r = call double @byValue(ptr byval(%Box) align 8 %b)
  %s = call double @numbers(ptr byval(%Numbers) align 8 %n)
  %t = fadd double %first, %r
  ret double %t
}
; CHECK-LABEL: define double @without
; CHECK-NEXT: %r = call double @byValue(ptr byval(%Box) align 8 %b)
define double @without(ptr %b) {
  %r = call double @byValue(ptr byval(%Box) align 8 %b)
  ret double %r
}
declare double @byValue(ptr byval(%Box) align 8)
declare double @numbers(ptr byval(%Numbers) align 8)

; CHECK-DAG: [[FIELDS]] = !{i64 0, i64 8, [[DOUBLE]], i64 8, i64 8, [[DOUBLE]], i64 16, i64 8, [[CHAR:!.*]], i64 24, i64 4, [[CHAR]]}
; CHECK-DAG: [[DOUBLE]] = !{[[D:!.*]], [[D]], i64 0}
; CHECK-DAG: [[D]] = !{!"double", [[C:!.*]], i64 0}
; CHECK-DAG: [[CHAR]] = !{[[C]], [[C]], i64 0}
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
