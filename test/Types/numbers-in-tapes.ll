; A derivative hands a tape over in a record. An integer in it is a number, whatever the pointers beside it lead to.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @second_half.prepared
; CHECK-NOT: %bytes:
; CHECK-NOT: %count:
define void @second_half(ptr %x, { i64, ptr } %tape) "isozyme-derivative" "isozyme-request"="reverse(dup,const)->const" {
  %bytes = extractvalue { i64, ptr } %tape, 0
  %at = extractvalue { i64, ptr } %tape, 1
  %count = udiv i64 %bytes, 8
  %v = load double, ptr %at
  %last = getelementptr double, ptr %x, i64 %count
  store double %v, ptr %last
  ret void
}
