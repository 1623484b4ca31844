; What is written through a `restrict` parameter has a shadow apart from all others, and so has memory
; that the function makes. What is only read may be read through several parameters.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-fuse=0 -isozyme-apart=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=OFF

; A file of plans can say nothing of a shadow.
; RUN: %opt -isozyme-fuse=0 -passes=autodiff -isozyme-plan-out=%t.json -disable-output %s
; RUN: FileCheck %s --check-prefix=OUT < %t.json
; OUT: "shadows": [
; OUT-NEXT: {
; OUT-NEXT: "choices": [
; OUT-NEXT: "may overlap",
; OUT-NEXT: "apart"
; OUT-NEXT: ],
; OUT-NEXT: "decision": "apart",
; OUT-NEXT: "shadow": "%c"
; RUN: echo '{"version": 1, "plans": [{"function": "writes", "shadows": [{"shadow": "%%c", "decision": "may overlap"}]}]}' > %t.in.json
; RUN: %opt -isozyme-fuse=0 -passes=autodiff -isozyme-plan-in=%t.in.json -isozyme-plan-out=%t.json -isozyme-verify-each -isozyme-print-after=plan -disable-output %s 2>&1 | FileCheck %s --check-prefix=TURNED --implicit-check-not=IZ319
; RUN: FileCheck %s --check-prefix=WRITTEN < %t.json
; TURNED: shadow of %c: may overlap others  (as the file of plans says)
; TURNED-NOT: apart from other shadows
; TURNED: reverse
; WRITTEN: "decision": "may overlap",
; WRITTEN-NEXT: "shadow": "%c"
; RUN: echo '{"version": 1, "plans": [{"function": "writes", "shadows": [{"shadow": "%%a", "decision": "apart"}]}]}' > %t.wrong.json
; RUN: %opt -isozyme-fuse=0 -passes=autodiff -isozyme-plan-in=%t.wrong.json -disable-output %s 2>&1 | FileCheck %s --check-prefix=WRONG --implicit-check-not=IZ319
; WRONG: the file of plans asks for '%a' in another way, but its shadow is not known to be apart from others [IZ319]

; CHECK-LABEL: derivative plan for reverse(@writes:
; CHECK: apart from other shadows
; CHECK-NEXT: shadow of %c: restrict, where it is written
; CHECK-NOT: shadow of
; CHECK: reverse
; OFF-LABEL: derivative plan for reverse(@writes:
; OFF-NOT: apart from other shadows
; OFF: shadows may overlap other memory
; OFF: reverse
define void @writes(ptr noalias %a, ptr noalias %b, ptr noalias %c) "isozyme-request"="reverse(dup,dup,dup)->const" {
  %x = load double, ptr %a
  %y = load double, ptr %b
  %z = fmul double %x, %y
  store double %z, ptr %c
  ret void
}

; Others may lead to the same memory.
; CHECK-LABEL: derivative plan for reverse(@plain:
; CHECK-NOT: apart from other shadows
; CHECK: reverse
define void @plain(ptr %a, ptr %c) "isozyme-request"="reverse(dup,dup)->const" {
  %x = load double, ptr %a
  %z = fmul double %x, %x
  store double %z, ptr %c
  ret void
}

; A shadow that may be the memory itself is compared at each access.
; CHECK-LABEL: derivative plan for reverse(@checked:
; CHECK-NOT: shadow of %c
; CHECK: reverse
define void @checked(ptr noalias %a, ptr noalias %c) "isozyme-request"="reverse(dup,dup?)->const" {
  %x = load double, ptr %a
  store double %x, ptr %c
  ret void
}

; CHECK-LABEL: derivative plan for reverse(@makes:
; CHECK: apart from other shadows
; CHECK-NEXT: shadow of %own: made here{{$}}
; CHECK-NEXT: shadow of %shown: made here; its address is in memory, too
define double @makes(ptr %a, ptr %place, i64 %i, i64 %j) "isozyme-request"="reverse(dup,dup,const,const)->active" {
  %own = alloca [4 x double]
  %shown = alloca [4 x double]
  store ptr %shown, ptr %place
  %x = load double, ptr %a
  %at = getelementptr double, ptr %own, i64 %i
  %from = getelementptr double, ptr %own, i64 %j
  store double %x, ptr %at
  store double %x, ptr %shown
  call void @clobber(ptr %place)
  %y = load double, ptr %from
  %z = load double, ptr %shown
  %r = fmul double %y, %z
  ret double %r
}
define internal void @clobber(ptr %place) noinline {
  store i64 0, ptr null
  ret void
}

; A stencil adds to neighbours: each iteration waits for the one before, and nothing is said of its shadows.
; CHECK-LABEL: derivative plan for reverse(@stencil:
; CHECK: loop %loop adds to neighbours in one array: nothing is said of its shadows
; CHECK: reverse
define void @stencil(ptr noalias %from, ptr noalias %to, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %p = getelementptr double, ptr %from, i64 %i
  %q = getelementptr i8, ptr %p, i64 16
  %x = load double, ptr %p
  %y = load double, ptr %q
  %z = fsub double %x, %y
  %at = getelementptr double, ptr %to, i64 %i
  store double %z, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Members of records, and halves of an array, are no neighbours.
; CHECK-LABEL: derivative plan for reverse(@records:
; CHECK-NOT: adds to neighbours
; CHECK: reverse
define void @records(ptr noalias %from, ptr noalias %to, i64 %n, i64 %half) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %p = getelementptr {double, double, double}, ptr %from, i64 %i
  %q = getelementptr i8, ptr %p, i64 16
  %r = getelementptr double, ptr %p, i64 %half
  %x = load double, ptr %p
  %y = load double, ptr %q
  %w = load double, ptr %r
  %d = fsub double %x, %y
  %z = fsub double %d, %w
  %at = getelementptr double, ptr %to, i64 %i
  store double %z, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare void @__enzyme_autodiff(...)
define void @gradient(ptr %a, ptr %da, ptr %b, ptr %db, ptr %c, ptr %dc) {
  call void (...) @__enzyme_autodiff(ptr @writes, ptr %a, ptr %da, ptr %b, ptr %db, ptr %c, ptr %dc)
  ret void
}
