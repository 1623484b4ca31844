; An offset that no object has room for was followed byte by byte.
; RUN: %opt -passes=isozyme -disable-output %s
@enzyme_dup = external global i32

define double @f(ptr %p, ptr %q) {
  %far = getelementptr i8, ptr %q, i64 -9223372036854775808
  %next = load ptr, ptr %far, align 8
  %x = load double, ptr %p, align 8
  %bits = load i64, ptr %p, align 8
  %c = call double @f(ptr %far, ptr %next)
  store i64 %bits, ptr %far, align 8
  %y = bitcast i64 %bits to double
  %s = fadd double %x, %y
  store double %c, ptr %p, align 8
  ret double %s
}

define void @drive(ptr %p, ptr %dp, ptr %q, ptr %dq) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr @enzyme_dup, ptr %p, ptr %dp, ptr @enzyme_dup, ptr %q, ptr %dq)
  ret void
}
declare double @__enzyme_fwddiff(ptr, ...)
