; Local memory is active only if something varied is stored there and read for an output.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

@weights = constant [3 x double] [double 1.0, double 2.0, double 3.0]

; CHECK-LABEL: activity of @f
; CHECK: %table = alloca {{.*}} ; inactive
; CHECK: %values = call ptr @malloc{{.*}} ; active (varied from argument %x; useful for %v)
; CHECK: call void @llvm.memcpy{{.*}} ; inactive
; CHECK: store volatile double %x{{.*}} ; active
; CHECK: store volatile double 0.0{{.*}} ; active
; CHECK: %w = load {{.*}} ; inactive
; CHECK: call void @free{{.*}} ; active
define double @f(double %x, i64 %i) "isozyme-request"="reverse(active,const)->active" {
  %table = alloca [3 x double]
  %values = call ptr @malloc(i64 16)
  call void @llvm.memcpy.p0.p0.i64(ptr %table, ptr @weights, i64 24, i1 false)
  store volatile double %x, ptr %values
  %second = getelementptr i8, ptr %values, i64 8
  store volatile double 0.0, ptr %second
  %p = getelementptr [3 x double], ptr %table, i64 0, i64 %i
  %w = load double, ptr %p
  %q = getelementptr double, ptr %values, i64 %i
  %v = load volatile double, ptr %q
  %r = fmul double %v, %w
  call void @free(ptr %values)
  ret double %r
}

; Written, never read for the result.
; CHECK-LABEL: activity of @scratch
; CHECK: %s = alloca {{.*}} ; inactive
; CHECK: store volatile double %x{{.*}} ; inactive
define double @scratch(double %x) "isozyme-request"="reverse(active)->active" {
  %s = alloca double
  store volatile double %x, ptr %s
  ret double %x
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @malloc(i64)
declare void @free(ptr)
