; A pointer to memory with or without a shadow: the shadow of what has none is the
; address itself, and who reads through the pointer has to ask.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/select.ll 2>&1 | FileCheck %t/select.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/stored.ll 2>&1 | FileCheck %t/stored.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/constant.ll 2>&1 | FileCheck %t/constant.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/table.ll 2>&1 | FileCheck %t/table.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/fine.ll 2>&1 | FileCheck %t/fine.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/asked.ll 2>&1 | FileCheck %t/asked.ll
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %t/call.ll 2>&1 | FileCheck %t/call.ll

;--- select.ll
; CHECK: argument %a: active{{[^[]*$}}
; CHECK: argument %b: active{{.*}} [is its own shadow]
; CHECK: %p = select {{.*}} [may be its own shadow]
; CHECK: %w = load {{.*}} ; active
define double @f(ptr %a, ptr %b, i1 %c) "isozyme-request"="reverse(dup,const,const)->active" {
  %p = select i1 %c, ptr %a, ptr %b
  %v = load double, ptr %p
  %w = load double, ptr %a
  %m = fmul double %v, %w
  ret double %m
}

;--- stored.ll
; CHECK: argument %table: active{{.*}} [is its own shadow]
; CHECK: store ptr %table, ptr %s{{.*}} ; active
; CHECK: %p = load volatile ptr, {{.*}} [may be its own shadow]
define double @f(ptr %s, ptr %table) "isozyme-request"="reverse(dup,const)->active" {
  store ptr %table, ptr %s
  %p = load volatile ptr, ptr %s
  %v = load double, ptr %p
  ret double %v
}

;--- constant.ll
; The numbers are in another file.
; CHECK: %p = select {{.*}} [may be its own shadow]
@zeros = external constant [2 x double]
define double @f(ptr %a, i1 %c) "isozyme-request"="reverse(dup,const)->active" {
  %p = select i1 %c, ptr %a, ptr @zeros
  %v = load double, ptr %p
  ret double %v
}

;--- table.ll
; Constants that are here are mirrored, which costs no question.
; CHECK: %r = load ptr, {{.*}} ; active{{[^[]*$}}
; CHECK: %p = select {{.*}} ; active{{[^[]*$}}
@row = constant [2 x double] zeroinitializer
@rows = constant [1 x ptr] [ptr @row]
define double @f(ptr %a, i1 %c, i64 %i) "isozyme-request"="reverse(dup,const,const)->active" {
  %at = getelementptr ptr, ptr @rows, i64 %i
  %r = load ptr, ptr %at
  %p = select i1 %c, ptr %a, ptr %r
  %v = load double, ptr %p
  ret double %v
}

;--- fine.ll
; Null has a null shadow, a constant table one of its own, and two const pointers may meet.
; CHECK: %p = select {{.*}} ; active
; CHECK: %q = select {{.*}} ; inactive
; CHECK: %t = select {{.*}} ; active
; CHECK-NOT: own shadow
@known = constant [2 x double] zeroinitializer
define double @f(ptr %a, ptr %b, ptr %d, i1 %c) "isozyme-request"="reverse(dup,const,const,const)->active" {
  %p = select i1 %c, ptr %a, ptr null
  %q = select i1 %c, ptr %b, ptr %d
  %v = load double, ptr %p
  %w = load double, ptr %q
  %m = fmul double %v, %w
  %t = select i1 %c, ptr %a, ptr @known
  %u = load double, ptr %t
  %n = fmul double %m, %u
  ret double %n
}

;--- asked.ll
; enzyme_runtime_activity, or a caller that does not know: what is read through the
; pointer is asked as well. A local variable always has its shadow.
; CHECK: activity of @f{{.*}} reverse(@f: dup? ptr) -> active, width 1
; CHECK: argument %rows: active{{.*}} [may be its own shadow]
; CHECK: %l = alloca {{.*}} ; active{{[^[]*$}}
; CHECK: %row = load ptr, {{.*}} [may be its own shadow]
define double @f(ptr %rows) "isozyme-request"="reverse(dup?)->active" {
  %l = alloca double
  %row = load ptr, ptr %rows
  %v = load double, ptr %row
  store volatile double %v, ptr %l
  %w = load volatile double, ptr %l
  ret double %w
}

;--- call.ll
; The callee is told; the reverse sweep reads the address itself for the comparison.
; CHECK: %p shadow  for %v
; CHECK-NEXT: %p primal  for %v
; CHECK: @g   differentiate   augment(@g: dup? ptr{{.*}}) -> active
define double @f(ptr %a, ptr %b, i1 %c) "isozyme-request"="reverse(dup,const,const)->active" {
  %p = select i1 %c, ptr %a, ptr %b
  %v = load double, ptr %p
  %r = call double @g(ptr %p)
  %m = fmul double %v, %r
  ret double %m
}
define internal double @g(ptr %p) {
  %v = load double, ptr %p
  %m = fmul double %v, %v
  ret double %m
}
