; A record in a block of its own, moved to a larger block as realloc does: how much is copied is
; not known, but where it starts and the most that it can be, so that its members are.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-needs>' -disable-output %t/bounded.ll 2>&1 | FileCheck %t/bounded.ll
; RUN: not %opt -passes='print<isozyme-needs>' -disable-output %t/unknown.ll 2>&1 | FileCheck %t/unknown.ll

;--- bounded.ll
; CHECK-NOT: error
; CHECK: needs of reverse(@grown
define double @grown(double %a, i32 %k) "isozyme-request"="reverse(active,const)->active" {
  %one = call ptr @malloc(i64 24)
  store double %a, ptr %one
  %at.k = getelementptr i8, ptr %one, i64 8
  store i32 %k, ptr %at.k
  %row = call ptr @malloc(i64 8)
  store double %a, ptr %row
  %at.row = getelementptr i8, ptr %one, i64 16
  store ptr %row, ptr %at.row
  %two = call ptr @malloc(i64 48)
  %none = icmp eq ptr %two, null
  %had = call i64 @malloc_usable_size(ptr %one)
  %kept = call i64 @llvm.umin.i64(i64 %had, i64 48)
  %most = call i64 @llvm.umin.i64(i64 %kept, i64 %had)
  %length = select i1 %none, i64 0, i64 %most
  call void @llvm.memcpy.p0.p0.i64(ptr %two, ptr %one, i64 %length, i1 false)
  call void @free(ptr %one)
  %v = load double, ptr %two
  %from = getelementptr i8, ptr %two, i64 16
  %moved = load ptr, ptr %from
  %w = load double, ptr %moved
  %r = fmul double %v, %w
  ret double %r
}
declare ptr @malloc(i64)
declare void @free(ptr)
declare i64 @malloc_usable_size(ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

;--- unknown.ll
; What lies behind the first members is not known, and may be copied.
; CHECK: error: {{.*}}cannot deduce what the memory{{.*}}[IZ203]
define double @open(ptr %x, ptr %to, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
  %most = call i64 @llvm.umin.i64(i64 %n, i64 48)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 %most, i1 false)
  %v = load double, ptr %to
  %from = getelementptr i8, ptr %to, i64 16
  %moved = load ptr, ptr %from
  %w = load double, ptr %moved
  %r = fmul double %v, %w
  ret double %r
}
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
