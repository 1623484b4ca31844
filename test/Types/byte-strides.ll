; An address in bytes, at a multiple of 24, is that of a record of 24 bytes.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK: %x -> every 24: {0..8 float double, 8..16 integer, 16..24 float double}
define double @records(ptr %x, i64 %i) "isozyme-request"="reverse(dup,const)->active" {
  %bytes = mul nuw nsw i64 %i, 24
  %a = getelementptr i8, ptr %x, i64 %bytes
  %v = load double, ptr %a
  %b = getelementptr i8, ptr %a, i64 8
  %k = load i64, ptr %b
  %number = sitofp i64 %k to double
  %c = getelementptr i8, ptr %a, i64 16
  %w = load double, ptr %c
  %sum = fadd double %v, %w
  %product = fmul double %sum, %number
  ret double %product
}
