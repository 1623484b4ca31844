; A number every 40 bytes is no special case of an address every 24 bytes: what lies at 40, where
; both would have it, is not known. It counted as a number, and a copy left the address's shadow
; behind. A number every 48 bytes is a special case.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @apart.prepared
; CHECK: %memory -> every 120: {0..8 float double, {{.*}}, 16..24 pointer, 24..64 unknown, 64..72 pointer, {{.*}}}
define double @apart(ptr %memory, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  %number = getelementptr [40 x i8], ptr %memory, i64 %i
  %v = load double, ptr %number
  %address = getelementptr [24 x i8], ptr %memory, i64 %i, i64 16
  %p = load ptr, ptr %address
  %w = load double, ptr %p
  %y = fmul double %v, %w
  ret double %y
}

; CHECK-LABEL: types of @within.prepared
; CHECK: %memory -> every 48: {0..16 unknown, 16..24 float double, 24..40 unknown, 40..48 pointer}
define double @within(ptr %memory, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  %number = getelementptr [48 x i8], ptr %memory, i64 %i, i64 16
  %v = load double, ptr %number
  %address = getelementptr [24 x i8], ptr %memory, i64 %i, i64 16
  %p = load ptr, ptr %address
  %w = load double, ptr %p
  %y = fmul double %v, %w
  ret double %y
}
