; What is copied may be a double or an address: its shadow tells which. Of what is only ever a double, or a pair of
; floats, types tell.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@either: dup ptr, dup ptr) -> active
; CHECK: call @llvm.memmove.p0.p0.i64: copy addresses, copy  floats or addresses
define double @either(ptr %from, ptr %to) #0 {
  %moved = load ptr, ptr %from
  store ptr %moved, ptr %to
  %there = load ptr, ptr %from
  %y = load double, ptr %there
  %z = load double, ptr %from
  %sum = fadd double %y, %z
  ret double %sum
}

; CHECK-LABEL: derivative plan for reverse(@record: dup ptr, dup ptr) -> active
; CHECK: call @llvm.memcpy.p0.p0.i64: copy addresses, copy  per 16 bytes: 8 of floats or addresses, 8 of double
define double @record(ptr %from, ptr %to) #0 {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 16, i1 false)
  %second = getelementptr i8, ptr %to, i64 8
  %x = load double, ptr %second
  %there = load ptr, ptr %to
  %y = load double, ptr %there
  %z = load double, ptr %to
  %some = fadd double %y, %z
  %sum = fadd double %x, %some
  ret double %sum
}

; CHECK-LABEL: derivative plan for reverse(@number: dup ptr, dup ptr) -> active
; CHECK: call @llvm.memcpy.p0.p0.i64: copy  double
define double @number(ptr %from, ptr %to) #0 {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 16, i1 false)
  %second = getelementptr i8, ptr %to, i64 8
  %x = load double, ptr %second
  %z = load double, ptr %to
  %sum = fadd double %x, %z
  ret double %sum
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

attributes #0 = { "isozyme-request"="reverse(dup,dup)->active" }
