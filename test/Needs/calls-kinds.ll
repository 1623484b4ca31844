; What each call is: a rule, memory management, a copy, or nothing to differentiate.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(double %x, ptr %log) "isozyme-request"="reverse(active, const) -> active" {
  %m = call ptr @malloc(i64 16)
  %s = call double @sin(double %x)
  store double %s, ptr %m, align 8
  %q = getelementptr i8, ptr %m, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %m, i64 8, i1 false)
  %w = call double @floor(double %x)
  %n = call i32 @puts(ptr %log)
  %y = load double, ptr %q, align 8
  call void @free(ptr %m)
  ret double %y
}
declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare double @sin(double)
declare double @floor(double)
declare i32 @puts(ptr)

; CHECK:      calls
; CHECK-NEXT:   @malloc   allocate
; CHECK-NEXT:   @sin   by rule
; CHECK-NEXT:   @llvm.memcpy.p0.p0.i64   bulk memory
; CHECK:        @floor   inactive
; CHECK-NEXT:   @puts   inactive
; CHECK-NEXT:   @free   free
