; What a loop of one block hands on to its next iteration is written to its array where the next one is known: a write in
; front of that keeps LLVM from making vectors. Where nothing computed in the loop is handed on, or what is kept has no
; array, it is written at once.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-undo=never -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

; CHECK: derivative plan for reverse(@counted
; CHECK: %here primal {{.*}} cache #{{[0-9]+}}, written behind the next one
; CHECK-NOT: written behind
; CHECK: {{^}}  tape
define void @counted(ptr noalias %u, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  %first = load double, ptr %u
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %here = phi double [%first, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %u, i64 %i
  %square = fmul double %here, %here
  %i.next = add nuw nsw i64 %i, 1
  %at.next = getelementptr inbounds double, ptr %u, i64 %i.next
  %next = load double, ptr %at.next
  store double %square, ptr %at
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %for
exit:
  ret void
}

; CHECK: derivative plan for reverse(@many.blocks
; CHECK: %here primal {{.*}} cache
; CHECK-NOT: written behind
; CHECK: {{^}}  tape
define void @many.blocks(ptr noalias %u, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  %first = load double, ptr %u
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %then]
  %here = phi double [%first, %entry], [%next, %then]
  %at = getelementptr inbounds double, ptr %u, i64 %i
  %square = fmul double %here, %here
  %i.next = add nuw nsw i64 %i, 1
  %at.next = getelementptr inbounds double, ptr %u, i64 %i.next
  %next = load double, ptr %at.next
  %large = fcmp ogt double %here, 3.0
  br i1 %large, label %change, label %then
change:
  store double %square, ptr %at
  br label %then
then:
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %for
exit:
  ret void
}

; CHECK: derivative plan for reverse(@unknown.trips
; CHECK: %here primal {{.*}} cache
; CHECK-NOT: written behind
; CHECK: {{^}}  tape
define void @unknown.trips(ptr noalias %u) "isozyme-request"="reverse(dup)->const" {
entry:
  %first = load double, ptr %u
  br label %for
for:
  %i = phi i64 [0, %entry], [%i.next, %for]
  %here = phi double [%first, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %u, i64 %i
  %square = fmul double %here, %here
  %i.next = add nuw nsw i64 %i, 1
  %at.next = getelementptr inbounds double, ptr %u, i64 %i.next
  %next = load double, ptr %at.next
  store double %square, ptr %at
  %done = fcmp ogt double %next, 3.0
  br i1 %done, label %exit, label %for
exit:
  ret void
}
