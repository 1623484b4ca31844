; One pointer reaches two objects at different offsets: what is known of byte 8 of the record is not taken to be true of byte 8 of the array.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-types>' -disable-output %t/skewed.ll 2>&1 | FileCheck %t/skewed.ll
; RUN: %opt -passes='print<isozyme-types>' -disable-output %t/level.ll 2>&1 | FileCheck %t/level.ll

;--- skewed.ll
; Bytes 8 to 16 of %y were once thought to hold the record's integer and padding,
; so that the fill did not clear the derivative of y[1].
; CHECK: %y -> every 8: {0..8 float double}
; CHECK: %record -> starts with {0..8 float double, 8..12 integer
%struct.Record = type { double, i32, [3 x double] }
define double @skewed(ptr %y, i32 %k, i64 %i, i1 %c) "isozyme-request"="reverse(dup,const,const,const)->active" {
  call void @llvm.memset.p0.i64(ptr %y, i8 0, i64 16, i1 false)
  %record = alloca %struct.Record
  %at.k = getelementptr %struct.Record, ptr %record, i32 0, i32 1
  store i32 %k, ptr %at.k
  %number = sitofp i32 %k to double
  store double %number, ptr %record
  %v = getelementptr i8, ptr %record, i64 16
  %p = select i1 %c, ptr %v, ptr %y
  %place = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %place
  %twice = fmul double %x, %x
  store double %twice, ptr %place
  ret double %twice
}

;--- level.ll
; Two objects at the same offset are known as exactly as one.
; CHECK: %a -> every 16: {0..8 float double, 8..16 integer}
define double @level(ptr %a, ptr %b, i64 %i, i1 %c) "isozyme-request"="reverse(dup,dup,const,const)->active" {
  %p = select i1 %c, ptr %a, ptr %b
  %pair = getelementptr { double, i64 }, ptr %p, i64 %i
  %x = load double, ptr %pair
  %at.n = getelementptr i8, ptr %pair, i64 8
  %count = load i64, ptr %at.n
  %more = mul i64 %count, %i
  store i64 %more, ptr %at.n
  ret double %x
}
