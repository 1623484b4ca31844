; Structs and arrays are loaded and stored leaf by leaf.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @copy
; CHECK: [[A:%.*]] = load double, ptr %p, align 8
; CHECK: [[Q:%.*]] = getelementptr inbounds i8, ptr %p, i64 12
; CHECK: [[B:%.*]] = load float, ptr [[Q]], align 4
; CHECK: store float {{%.*}}, ptr %{{.*}}, align 4
; CHECK-NOT: {{load|store}} {
%s = type { double, [2 x float] }
define %s @copy(ptr %p, ptr %q, %s %v) {
  %x = load %s, ptr %p, align 8
  store %s %v, ptr %q, align 8
  ret %s %x
}
