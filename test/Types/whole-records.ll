; A callee that loads or stores a record as one value keeps its pointers apart.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

%tape = type { i32, ptr, double, ptr }

define internal double @read(ptr %p) noinline {
  %r = load %tape, ptr %p
  %numbers = extractvalue %tape %r, 1
  %next = extractvalue %tape %r, 3
  %x = load double, ptr %numbers
  %count = load i32, ptr %next
  %y = sitofp i32 %count to double
  %z = fadd double %x, %y
  ret double %z
}

define internal void @write(ptr %p, ptr %numbers, ptr %next, i32 %n) noinline {
  %1 = insertvalue %tape poison, i32 %n, 0
  %2 = insertvalue %tape %1, ptr %numbers, 1
  %3 = insertvalue %tape %2, double 0.0, 2
  %4 = insertvalue %tape %3, ptr %next, 3
  store %tape %4, ptr %p
  ret void
}

; CHECK-LABEL: types of @caller
; CHECK: %x -> every 8: {0..8 float double}
; CHECK: %next -> {{starts with|every 4:}} {0..4 integer}
define double @caller(ptr %x, ptr %next) "isozyme-request"="reverse(dup,dup)->active" {
  %p = alloca [32 x i8]
  call void @write(ptr %p, ptr %x, ptr %next, i32 0)
  %r = call double @read(ptr %p)
  ret double %r
}
