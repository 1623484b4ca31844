; Code that is compiled without optimisation has no alias metadata. Its accesses to members of
; records are noted before simplification makes steps of bytes of them.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

%node = type { double, ptr, i64 }
%list = type { ptr, ptr, i64 }

; What is stored as zero bits is a pointer and a number, by the record whose first member is seen.
; CHECK-LABEL: types of @cleared
; CHECK: %p -> starts with {0..8 float double, 8..16 pointer}
; CHECK: %next -> starts with {0..8 pointer, 8..16 integer}
define void @cleared(ptr %p, double %x) "isozyme-request"="reverse(dup,active)->const" {
  store double %x, ptr %p, !isozyme-member !0
  %next = getelementptr i8, ptr %p, i64 8
  store i64 0, ptr %next
  %count = getelementptr i8, ptr %p, i64 16
  store i64 0, ptr %count
  ret void
}

; A step back to where the record starts.
; CHECK-LABEL: types of @behind
; CHECK: %p -> starts with {0..8 pointer, 8..16 integer}
define void @behind(ptr %p) "isozyme-request"="reverse(dup)->const" {
  store ptr null, ptr %p, !isozyme-member !1
  %count = getelementptr i8, ptr %p, i64 8
  store i64 0, ptr %count
  ret void
}

; The size of a list lies where its nodes, which the same pointers lead to, hold a number.
; CHECK-LABEL: types of @size
; CHECK: %at -> starts with {0..8 integer,
define double @size(double %x) "isozyme-request"="reverse(active)->active" {
  %list = alloca %list
  %node = call noalias ptr @malloc(i64 24)
  store ptr %list, ptr %list
  %at = getelementptr i8, ptr %list, i64 16
  store i64 0, ptr %at, !isozyme-member !2
  %own = getelementptr i8, ptr %node, i64 16
  store double %x, ptr %own
  %last = load ptr, ptr %list
  store ptr %node, ptr %last
  store ptr %list, ptr %node
  %count = load i64, ptr %at, !isozyme-member !2
  %more = add i64 %count, 1
  store i64 %more, ptr %at, !isozyme-member !2
  %first = load ptr, ptr %list
  %data = getelementptr i8, ptr %first, i64 16
  %y = load double, ptr %data
  ret double %y
}

declare noalias ptr @malloc(i64)

!0 = !{%node poison, i64 0, i1 false}
!1 = !{%node poison, i64 8, i1 false}
!2 = !{%list poison, i64 16, i1 true}
