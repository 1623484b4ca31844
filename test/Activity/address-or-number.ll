; The place behind %cells is read as a number, an integer moves what is there, and an address is
; read where the integer went. So %bits may be either, and is active for what it may lead to: forward
; mode moves its shadow or tangent, whichever it is, and reverse mode, which has to know, declines.
; It counted as inactive, and what was read behind it had no shadow.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/moved.ll 2>&1 | FileCheck %t/moved.ll
; RUN: not %opt -passes='print<isozyme-plan>' -disable-output %t/reverse.ll 2>&1 | FileCheck %t/reverse.ll

;--- moved.ll
; CHECK: %bits = load i64, {{.*}} ; active
; CHECK: store i64 %bits, {{.*}} ; active
; CHECK: %p = load ptr, {{.*}} ; active
define double @moved(ptr %cells, i64 %k) "isozyme-request"="forward(dup,const)->dup" {
  %copy = alloca [3 x ptr]
  %at = getelementptr ptr, ptr %copy, i64 %k
  %bits = load i64, ptr %cells
  store i64 %bits, ptr %at
  %v = load double, ptr %cells
  %p = load ptr, ptr %at
  %x = load double, ptr %p
  %y = fmul double %x, %v
  ret double %y
}

;--- reverse.ll
; CHECK: what is moved here may be a differentiated float, or else an address or an integer{{.*}}[IZ202]
define double @moved(ptr %cells, i64 %k) "isozyme-request"="reverse(dup,const)->active" {
  %copy = alloca [3 x ptr]
  %at = getelementptr ptr, ptr %copy, i64 %k
  %bits = load i64, ptr %cells
  store i64 %bits, ptr %at
  %v = load double, ptr %cells
  %p = load ptr, ptr %at
  %x = load double, ptr %p
  %y = fmul double %x, %v
  ret double %y
}
