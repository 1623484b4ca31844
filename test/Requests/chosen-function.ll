; A call whose function is chosen at run time among known ones is one call for each, chosen the
; same way; the ways of exceptions stay.
; RUN: %opt -passes='print<isozyme-requests>' -S %s 2>/dev/null | FileCheck %s
; RUN: %opt -passes=autodiff -disable-output %s

@table = internal constant [3 x { ptr, ptr }] [{ ptr, ptr } { ptr @name, ptr @f }, { ptr, ptr } { ptr @name, ptr @g }, { ptr, ptr } { ptr @name, ptr @h }]
@name = internal constant [2 x i8] c"f\00"

define double @f(double %x) {
  ret double %x
}
define double @g(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @h(double %x) {
  %y = fneg double %x
  ret double %y
}
declare double @__enzyme_autodiff(ptr, ...)
declare void @tidy(double)
declare i32 @personality(...)

; CHECK-LABEL: @select(
; CHECK: %[[IS:.*]] = icmp eq ptr %which, @f
; CHECK: br i1 %[[IS]], label %asked.f, label %else
; CHECK: asked.f:
; CHECK-NEXT: %[[F:.*]] = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
; CHECK: else:
; CHECK-NEXT: br label %asked.g
; CHECK: asked.g:
; CHECK-NEXT: %[[G:.*]] = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double %x)
; CHECK: %d = phi double [ %[[G]], %asked.g ], [ %[[F]], %asked.f ]
; CHECK-NEXT: ret double %d
define double @select(double %x, i1 %c) {
  %which = select i1 %c, ptr @f, ptr @g
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr %which, double %x)
  ret double %d
}

; CHECK-LABEL: @element(
; CHECK: icmp eq ptr %which, @f
; CHECK: invoke double (ptr, ...) @__enzyme_autodiff(ptr @f
; CHECK: icmp eq ptr %which, @g
; CHECK: invoke double (ptr, ...) @__enzyme_autodiff(ptr @g
; CHECK-NOT: icmp
; CHECK: invoke double (ptr, ...) @__enzyme_autodiff(ptr @h
; CHECK-NEXT: to label %asked unwind label %pad
; CHECK: pad:
; CHECK: call void @tidy(double %x)
define double @element(double %x, i64 %i) personality ptr @personality {
entry:
  %at = getelementptr { ptr, ptr }, ptr @table, i64 %i, i32 1
  %which = load ptr, ptr %at
  %d = invoke double (ptr, ...) @__enzyme_autodiff(ptr %which, double %x) to label %end unwind label %pad
end:
  %r = phi double [ %d, %entry ]
  ret double %r
pad:
  %lost = phi double [ %x, %entry ]
  %e = landingpad { ptr, i32 } cleanup
  call void @tidy(double %lost)
  resume { ptr, i32 } %e
}

; A local table, whose address a sanitizer asks for and reports.
; CHECK-LABEL: @local(
; CHECK: icmp eq ptr %which, @f
; CHECK: call double (ptr, ...) @__enzyme_autodiff(ptr @f
; CHECK: call double (ptr, ...) @__enzyme_autodiff(ptr @g
define double @local(double %x, i64 %i) {
  %own = alloca [2 x ptr]
  store ptr @f, ptr %own
  %second = getelementptr ptr, ptr %own, i64 1
  store ptr @g, ptr %second
  %at = getelementptr ptr, ptr %own, i64 %i
  %size = call i64 @llvm.objectsize.i64.p0(ptr %at, i1 false, i1 false, i1 false)
  %number = ptrtoint ptr %at to i64
  %next = add i64 %number, %size
  call void @__ubsan_handle_type_mismatch_v1(ptr @name, i64 %next)
  %which = load ptr, ptr %at
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr %which, double %x)
  ret double %d
}
declare void @__ubsan_handle_type_mismatch_v1(ptr, i64)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
