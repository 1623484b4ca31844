; A constant expression over a variable becomes an instruction.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
@g = global [4 x double] zeroinitializer
@k = external constant [4 x double]

; CHECK-LABEL: prepared function for @expressions
; CHECK: entry:
; CHECK-NEXT: [[P:%.*]] = getelementptr i8, ptr @g, i64 8
; CHECK: [[Q:%.*]] = getelementptr i8, ptr @g, i64 16
; CHECK-NEXT: load double, ptr [[Q]]
; CHECK: load double, ptr getelementptr (i8, ptr @k, i64 8)
; CHECK: [[V:%.*]] = insertelement <2 x ptr> poison, ptr @g, i64 0
; CHECK: phi ptr [ [[P]], %entry ], [ @g, %other ]
define double @expressions(i1 %c, ptr %out) {
entry:
  br i1 %c, label %other, label %join
other:
  %a = load double, ptr getelementptr (i8, ptr @g, i64 16)
  %b = load double, ptr getelementptr (i8, ptr @k, i64 8)
  %d = fadd double %a, %b
  store double %d, ptr @g
  store <2 x ptr> <ptr @g, ptr @k>, ptr %out
  br label %join
join:
  %p = phi ptr [ getelementptr (i8, ptr @g, i64 8), %entry ], [ @g, %other ]
  %x = load double, ptr %p
  ret double %x
}
