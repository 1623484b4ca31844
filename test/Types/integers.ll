; Integers that are copies of floats or pointers are told from numbers.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; Copied as bits: as the memory at either end.
; CHECK-LABEL: types of @bits
; CHECK: %from -> every 8: {0..8 float double}
; CHECK: %word: float double
define double @bits(ptr %from, ptr %to) "isozyme-request"="reverse(dup,dup)->active" {
  %word = load volatile i64, ptr %from
  store volatile i64 %word, ptr %to
  %x = load volatile double, ptr %to
  ret double %x
}

; Bits of a float that are shifted are not known to be a number...
; CHECK-LABEL: types of @shifted
; CHECK: %b: float double
; CHECK: %s: unknown
; CHECK: %m: float double
define double @shifted(double %x) "isozyme-request"="reverse(active)->active" {
  %b = bitcast double %x to i64
  %s = lshr i64 %b, 1
  %m = sub i64 6910469410427058089, %s
  %y = bitcast i64 %m to double
  ret double %y
}

; ... other bits that are shifted are.
; CHECK-LABEL: types of @state
; CHECK-NEXT: %p -> starts with {0..8 integer}
; CHECK-NOT: %s
define void @state(ptr %p) "isozyme-request"="reverse(dup)->const" {
  %s = load i64, ptr %p
  %t = shl i64 %s, 13
  %u = xor i64 %s, %t
  store i64 %u, ptr %p
  ret void
}

; A pointer that is moved as an integer leads to the same memory.
; CHECK-LABEL: types of @punned
; CHECK: %word: pointer
; CHECK: {{%.*q}} -> every 8: {0..8 float double}
define double @punned(ptr %s) "isozyme-request"="reverse(dup)->active" {
  %local = alloca [8 x i8]
  %word = load volatile i64, ptr %s
  store volatile i64 %word, ptr %local
  %q = load volatile ptr, ptr %local
  %x = load double, ptr %q
  ret double %x
}

; What a loop counts to is a number, also where floats may be by the steps of an array.
; CHECK-LABEL: types of @countedTo
; CHECK-NOT: %n:
define void @countedTo(ptr %r, double %x) "isozyme-request"="reverse(dup,active)->const" {
entry:
  %size = getelementptr i8, ptr %r, i64 48
  %n = load volatile i64, ptr %size
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %r, i64 %i
  store double %x, ptr %at
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What it is only compared with may be the bits of a float.
; CHECK-LABEL: types of @compared
; CHECK: %n: float double
define void @compared(ptr %r, double %x) "isozyme-request"="reverse(dup,active)->const" {
entry:
  %size = getelementptr i8, ptr %r, i64 48
  %n = load volatile i64, ptr %size
  %negative = icmp slt i64 %n, 0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr %r, i64 %i
  store double %x, ptr %at
  %next = add i64 %i, 1
  br i1 %negative, label %loop, label %end
end:
  ret void
}
