; Stores through a dupnoneed argument are left out where the function does not read through it.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@written: dup ptr, dupnoneed ptr, dupnoneed ptr, const i64) -> const
; CHECK: @put{{.*}}augment(@put: active double, dupnoneed ptr
; CHECK-NEXT: store in %entry  not done on primal memory  (nobody reads it)
; CHECK-NOT: not done
; CHECK: reverse
define void @written(ptr %x, ptr %y, ptr %again, i64 %i) "isozyme-request"="reverse(dup, dupnoneed, dupnoneed, const) -> const" {
entry:
  %v = load double, ptr %x
  %at = getelementptr double, ptr %y, i64 1
  store double %v, ptr %at
  call void @put(double %v, ptr %y)
  store double %v, ptr %again
  %other = getelementptr double, ptr %again, i64 %i
  %old = load double, ptr %other
  %w = fmul double %old, %v
  store double %w, ptr %again
  ret void
}
define void @put(double %v, ptr writeonly captures(none) %y) noinline {
  store double %v, ptr %y
  ret void
}

; Sanitizers ask where memory is and report it, in the function and in one that it calls.
; CHECK-LABEL: derivative plan for reverse(@reported: dup ptr, dupnoneed ptr) -> const
; CHECK: @checked{{.*}}augment(@checked: active double, dupnoneed ptr
; CHECK: store in %fits  not done on primal memory  (nobody reads it)
; CHECK-NOT: not done
; CHECK: reverse
define void @reported(ptr %x, ptr %y) "isozyme-request"="reverse(dup, dupnoneed) -> const" {
entry:
  %v = load double, ptr %x
  call void @checked(double %v, ptr %y)
  %size = call i64 @llvm.objectsize.i64.p0(ptr %y, i1 false, i1 false, i1 false)
  %number = ptrtoint ptr %y to i64
  %low = and i64 %number, 7
  %aligned = icmp eq i64 %low, 0
  %large = icmp ugt i64 %size, 7
  %good = and i1 %aligned, %large
  br i1 %good, label %fits, label %report
report:
  call void @__ubsan_handle_type_mismatch_v1(ptr @place, i64 %number)
  br label %fits
fits:
  store double %v, ptr %y
  ret void
}
define void @checked(double %v, ptr %y) noinline {
  %number = ptrtoint ptr %y to i64
  call void @__ubsan_handle_type_mismatch_v1(ptr @place, i64 %number)
  store double %v, ptr %y
  ret void
}

; The number of the address is kept: it may become an address again. A function that is called reads.
; CHECK-LABEL: derivative plan for reverse(@keeps: dup ptr, dupnoneed ptr, dupnoneed ptr) -> const
; CHECK-NOT: not done
; CHECK: reverse
define void @keeps(ptr %x, ptr %y, ptr %z) "isozyme-request"="reverse(dup, dupnoneed, dupnoneed) -> const" {
entry:
  %v = load double, ptr %x
  store double %v, ptr %y
  %number = ptrtoint ptr %y to i64
  store i64 %number, ptr @kept
  store double %v, ptr %z
  call void @doubled(ptr %z)
  ret void
}
define void @doubled(ptr %z) noinline {
  %v = load double, ptr %z
  %w = fadd double %v, %v
  store double %w, ptr %z
  ret void
}
@kept = internal global i64 0
@place = constant i8 0
declare void @__ubsan_handle_type_mismatch_v1(ptr, i64)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
; CHECK-LABEL: derivative plan for forward(@forward: dup double, dupnoneed ptr) -> const
; CHECK-NEXT: calls
; CHECK-NEXT: @put{{.*}}forward(@put: dup double, dupnoneed ptr)
; CHECK-NEXT: store in %entry  not done on primal memory  (nobody reads it)
; CHECK-NOT: not done
define void @forward(double %v, ptr %y) "isozyme-request"="forward(dup, dupnoneed) -> const" {
entry:
  store double %v, ptr %y
  call void @put(double %v, ptr %y)
  ret void
}
