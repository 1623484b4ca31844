; Words of a number that is not known, or of many, may be doubles or addresses: each tells in its shadow which it is, at
; whatever address it lies. A function that copies them follows the addresses, and sees nothing of the numbers that its
; caller keeps among them.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@many: dup ptr, dup ptr, const i64) -> active
; CHECK: call @llvm.memcpy.p0.p0.i64: copy addresses, copy  floats or addresses
define double @many(ptr %from, ptr %to, i64 %n) #0 {
  %bytes = shl nuw nsw i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  %there = load ptr, ptr %to
  %y = load double, ptr %there
  %z = load double, ptr %to
  %sum = fadd double %y, %z
  ret double %sum
}

; CHECK-LABEL: derivative plan for reverse(@large: dup ptr, dup ptr, const i64) -> active
; CHECK: call @llvm.memcpy.p0.p0.i64: copy addresses, copy  floats or addresses
define double @large(ptr %from, ptr %to, i64 %k) #0 {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 800, i1 false)
  %element = getelementptr double, ptr %to, i64 %k
  %there = load ptr, ptr %element
  %y = load double, ptr %there
  %z = load double, ptr %element
  %sum = fadd double %y, %z
  ret double %sum
}

; CHECK-LABEL: derivative plan for reverse(@moved: dup ptr, dup ptr, const i64) -> const
; CHECK: call @llvm.memcpy.p0.p0.i64: copy addresses, copy  floats or addresses
define internal void @moved(ptr %from, ptr %to, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
  %first = load ptr, ptr %from
  %is.null = icmp eq ptr %first, null
  br i1 %is.null, label %end, label %copy
copy:
  store ptr null, ptr %first
  %element = getelementptr ptr, ptr %from, i64 %n
  %last = load ptr, ptr %element
  store ptr null, ptr %last
  %bytes = shl nuw nsw i64 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  br label %end
end:
  ret void
}
define double @caller(ptr %from, ptr %to, i64 %n, i64 %k) {
  call void @moved(ptr %from, ptr %to, i64 %n)
  %element = getelementptr double, ptr %to, i64 %k
  %z = load double, ptr %element
  ret double %z
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

attributes #0 = { "isozyme-request"="reverse(dup,dup,const)->active" }
