; What the user states: hint calls, "enzyme_type" attributes, !enzyme_type.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

declare void @__enzyme_double(ptr, i64)
declare void @my__enzyme_integer_here(ptr)

; CHECK-LABEL: types of @hints
; CHECK: %p -> every 8: {0..8 float double}
; CHECK: %q -> starts with {0..1 integer}
define void @hints(ptr %p, ptr %q) "isozyme-request"="reverse(dup,dup)->const" {
  call void @__enzyme_double(ptr %p, i64 -1)
  call void @my__enzyme_integer_here(ptr %q)
  ret void
}

; CHECK-LABEL: types of @attributes
; CHECK: %p -> every 4: {0..4 float float}
; CHECK: %q -> starts with {0..8 integer, 8..16 float double}
define void @attributes(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@float}" %p,
                        ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Integer, [-1,1]:Integer, [-1,2]:Integer, [-1,3]:Integer, [-1,4]:Integer, [-1,5]:Integer, [-1,6]:Integer, [-1,7]:Integer, [-1,8]:Float@double}" %q)
    "isozyme-request"="reverse(dup,dup)->const" {
  ret void
}

; CHECK-LABEL: types of @metadata
; CHECK: %r -> every 8: {0..8 float double}
define void @metadata(ptr %p) "isozyme-request"="reverse(dup)->const" {
  %r = load ptr, ptr %p, !enzyme_type !0
  %q = getelementptr i8, ptr %p, i64 8
  store ptr %r, ptr %q
  ret void
}

; What cannot be read states nothing.
; CHECK-LABEL: types of @malformed
; CHECK: %p -> unknown
define void @malformed(ptr "enzyme_type"="{[-1,x]:Float@double" %p) "isozyme-request"="reverse(dup)->const" {
  ret void
}

!0 = !{!"{[-1]:Pointer, [-1,-1]:Float@double}"}
