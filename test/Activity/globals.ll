; Global variables: which get a shadow, which have none, and which cannot.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/fine.ll 2>&1 | FileCheck %t/fine.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/direct.ll 2>&1 | FileCheck %t/direct.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/callee.ll 2>&1 | FileCheck %t/callee.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/pointer.ll 2>&1 | FileCheck %t/pointer.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/table.ll 2>&1 | FileCheck %t/table.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/marked.ll 2>&1 | FileCheck %t/marked.ll
; RUN: not %opt -passes='print<isozyme-activity>' -disable-output %t/external.ll 2>&1 | FileCheck %t/external.ll
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %t/before.ll 2>&1 | FileCheck %t/before.ll

;--- fine.ll
; What is only read counts as constant, and integers hold no derivatives.
; CHECK: %v = load double, ptr @scale{{.*}} ; inactive
; CHECK: store i32 {{.*}}, ptr @calls{{.*}} ; inactive
; CHECK: %m = fmul {{.*}} ; active
; CHECK-NOT: global variables
@scale = global double 2.0
@calls = global i32 0
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  %v = load double, ptr @scale
  %n = load i32, ptr @calls
  %n1 = add i32 %n, 1
  store i32 %n1, ptr @calls
  %m = fmul double %v, %x
  ret double %m
}

;--- direct.ll
; A value that nobody reads again needs no shadow, one that is read does.
; CHECK: store double %x, ptr @last{{.*}} ; inactive
; CHECK: store double %x, ptr @kept{{.*}} ; active
; CHECK: %v = load {{.*}} ; active
; CHECK: global variables with a shadow: @kept{{$}}
@last = global double 0.0
@kept = internal global double 0.0
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  store double %x, ptr @last
  store double %x, ptr @kept
  %v = load volatile double, ptr @kept
  ret double %v
}

;--- callee.ll
; Memory is followed through calls; a callee is told what its caller keeps there.
; CHECK-LABEL: activity of @f
; CHECK: call void @remember(double %x)  ; active
; CHECK: global variables with a shadow: @last
; CHECK-LABEL: activity of @remember
; CHECK: store double %x, ptr @last{{.*}} ; active
; CHECK: global variables with a shadow: @last
@last = global double 0.0
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  call void @remember(double %x)
  %v = load double, ptr @last
  ret double %v
}
define internal void @remember(double %x) "isozyme-request"="augment(active)->const, globals @last" {
  store double %x, ptr @last
  ret void
}

;--- pointer.ll
; An address that is read from a variable may have been there before.
; CHECK: store ptr %p, ptr @buffer{{.*}} ; active
; CHECK: %q = load {{.*}} ; active {{.*}} [may be its own shadow, with pages]
; CHECK: %v = load {{.*}} ; active
; CHECK: global variables with a shadow: @buffer
@buffer = global ptr null
define double @f(ptr %p) "isozyme-request"="reverse(dup)->active" {
  store ptr %p, ptr @buffer
  %q = load volatile ptr, ptr @buffer
  %v = load double, ptr %q
  ret double %v
}

;--- table.ll
; A constant table of addresses of variables is mirrored; a table of numbers costs nothing.
; CHECK: %at = getelementptr {{.*}} ; active
; CHECK: %row = load ptr, {{.*}} ; active
; CHECK: store double %x, ptr %row{{.*}} ; active
; CHECK: %w = load volatile double, ptr @weights{{.*}} ; inactive
; CHECK: global variables with a shadow: @a @b
@a = internal global double 0.0
@b = internal global double 0.0
@rows = internal constant [2 x ptr] [ptr @a, ptr @b]
@weights = internal constant [2 x double] [double 1.0, double 2.0]
define double @f(double %x, i64 %i) "isozyme-request"="reverse(active,const)->active" {
  %at = getelementptr ptr, ptr @rows, i64 %i
  %row = load ptr, ptr %at
  store double %x, ptr %row
  %v = load double, ptr @a
  %w = load volatile double, ptr @weights
  %m = fmul double %v, %w
  ret double %m
}

;--- marked.ll
; Marked inactive, by attribute or by name; a shadow that the user has made.
; CHECK: %v = load volatile double, ptr @cache{{.*}} ; inactive
; CHECK: %w = load volatile double, ptr @my_enzyme_const{{.*}} ; inactive
; CHECK: %u = load volatile double, ptr @own{{.*}} ; active
; CHECK-NOT: global variables with a shadow
@cache = global double 0.0 "enzyme_inactive"
@my_enzyme_const = global double 0.0
@own = global double 0.0, !enzyme_shadow !0
@own_shadow = global double 0.0
!0 = !{ptr @own_shadow}
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  store volatile double %x, ptr @cache
  %v = load volatile double, ptr @cache
  store volatile double %x, ptr @my_enzyme_const
  %w = load volatile double, ptr @my_enzyme_const
  %u = load volatile double, ptr @own
  %m = fmul double %v, %w
  %n = fmul double %u, %m
  ret double %n
}

;--- external.ll
; CHECK: error: {{.*}}global variable 'elsewhere' would hold differentiated data, but it is defined in another file and has no shadow here; {{.*}}__enzyme_inactive_global_elsewhere = &elsewhere; [IZ207]
@elsewhere = external global double
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  store double %x, ptr @elsewhere
  %v = load volatile double, ptr @elsewhere
  ret double %v
}

;--- before.ll
; A workspace that was allocated before, or is kept from call to call.
; CHECK: %p = load ptr, {{.*}} [may be its own shadow, with pages]
; CHECK: %v = load volatile double, {{.*}} ; active
; CHECK: global variables with a shadow: @work
@work = global ptr null
define double @f(double %x) "isozyme-request"="reverse(active)->active" {
  %p = load ptr, ptr @work
  store double %x, ptr %p
  %v = load volatile double, ptr %p
  ret double %v
}
