; What a dynamic_cast finds is a place in the object that it is asked about, or null.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @cast
; CHECK: %distance = call i64 @isozyme.cast.distance(ptr %object, ptr @from, ptr @to, i64 0)
; CHECK: %there = getelementptr i8, ptr %object, i64 %distance
; CHECK: %missing = icmp eq i64 %distance, -9223372036854775808
; CHECK: %found = select i1 %missing, ptr null, ptr %there
; CHECK: load double, ptr %found
@from = external constant ptr
@to = external constant ptr
define double @cast(ptr %object) {
  %found = call ptr @__dynamic_cast(ptr %object, ptr @from, ptr @to, i64 0)
  %v = load double, ptr %found
  ret double %v
}
declare ptr @__dynamic_cast(ptr, ptr, ptr, i64)
