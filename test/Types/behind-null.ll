; The last element of an array that is empty on one way is a step back from null, which the optimiser writes as an address
; near the end of all: it leads to no memory, and the array on the other way keeps its elements.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @last
; CHECK: copy of 16 bytes at %record: every 16: {0..8 float double, 8..16 pointer}
define double @last(ptr %array, ptr %to, i1 %empty) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br i1 %empty, label %back, label %some

some:
  %end = getelementptr i8, ptr %array, i64 32
  %before = getelementptr i8, ptr %end, i64 -16
  br label %back

back:
  %record = phi ptr [ %before, %some ], [ inttoptr (i64 -16 to ptr), %entry ]
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %record, i64 16, i1 false)
  %number = load double, ptr %to
  %place = getelementptr i8, ptr %to, i64 8
  %next = load ptr, ptr %place
  %more = load double, ptr %next
  %sum = fadd double %number, %more
  ret double %sum
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
