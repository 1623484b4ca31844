; What is read from a record at address 0 is 0: no run does so and goes on. Volatile accesses, and functions where
; address 0 is memory, stay what they are.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: prepared function for @read
; CHECK-NOT: load ptr
; CHECK: load volatile double, ptr inttoptr (i64 24 to ptr)
; CHECK: load double, ptr inttoptr (i64 8192 to ptr)
; CHECK: select i1 %c, ptr %p, ptr null
define double @read(i1 %c, ptr %p) {
  %next = load ptr, ptr inttoptr (i64 16 to ptr)
  %v = load volatile double, ptr inttoptr (i64 24 to ptr)
  %w = load double, ptr inttoptr (i64 8192 to ptr)
  %head = select i1 %c, ptr %p, ptr %next
  %u = load double, ptr %head
  %vw = fadd double %v, %w
  %s = fadd double %u, %vw
  ret double %s
}

; CHECK-LABEL: prepared function for @memory_at_zero
; CHECK: load double, ptr inttoptr (i64 16 to ptr)
define double @memory_at_zero() null_pointer_is_valid {
  %v = load double, ptr inttoptr (i64 16 to ptr)
  ret double %v
}
