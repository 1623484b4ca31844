; Loops whose reverse touches other memory in each iteration: LLVM is told so, and compares nothing.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-versions=false -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=autodiff -isozyme-versions=false -S %s | FileCheck %s --check-prefix=EMIT

; Three rows, each as long as the loop and two elements more. All that is known of %n, an int, is
; what the guard says.
; CHECK-LABEL: derivative plan for reverse(@rows
; CHECK: loop %x.for  touches other memory in each iteration of its reverse
; CHECK-NOT: loop %y.for  touches
define void @rows(ptr noalias %now, ptr noalias %next, i32 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  %side = sext i32 %n to i64
  %less = add i32 %n, -1
  %end = zext i32 %less to i64
  %any = icmp sgt i32 %n, 2
  br i1 %any, label %y.for, label %exit
y.for:
  %y = phi i64 [1, %entry], [%y.next, %y.end]
  %row = mul nuw nsw i64 %y, %side
  %y.above = add nsw i64 %y, -1
  %row.above = mul nsw i64 %y.above, %side
  %above = getelementptr inbounds double, ptr %now, i64 %row.above
  br label %x.for
x.for:
  %x = phi i64 [1, %y.for], [%x.next, %x.for]
  %i = add nuw nsw i64 %x, %row
  %at = getelementptr inbounds double, ptr %now, i64 %i
  %v = load double, ptr %at
  %at.above = getelementptr inbounds double, ptr %above, i64 %x
  %w = load double, ptr %at.above
  %sum = fadd double %v, %w
  %to = getelementptr inbounds double, ptr %next, i64 %i
  store double %sum, ptr %to
  %x.next = add nuw nsw i64 %x, 1
  %x.done = icmp eq i64 %x.next, %end
  br i1 %x.done, label %y.end, label %x.for
y.end:
  %y.next = add nuw nsw i64 %y, 1
  %y.done = icmp eq i64 %y.next, %end
  br i1 %y.done, label %exit, label %y.for
exit:
  ret void
}
; EMIT-LABEL: define void @gradient
; EMIT: rev.x.for{{.*}}:
; EMIT: load double, ptr {{.*}} !llvm.access.group ![[GROUP:[0-9]+]]
; EMIT: label %rev.x.for{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
declare void @__enzyme_autodiff(...)
define void @gradient(ptr %now, ptr %now.shadow, ptr %next, ptr %next.shadow, i32 %n) {
  call void (...) @__enzyme_autodiff(ptr @rows, metadata !"enzyme_dup", ptr %now, ptr %now.shadow, metadata !"enzyme_dup", ptr %next, ptr %next.shadow, metadata !"enzyme_const", i32 %n)
  ret void
}

; Any distance, which may be that of two iterations.
; CHECK-LABEL: derivative plan for reverse(@distance
; CHECK-NOT: touches other memory
define void @distance(ptr noalias %a, ptr noalias %b, i64 %n, i64 %m) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %at
  %j = add nsw i64 %i, %m
  %at.j = getelementptr inbounds double, ptr %a, i64 %j
  %w = load double, ptr %at.j
  %sum = fadd double %v, %w
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Members of one element. In @near the second one is a member of the next element.
; CHECK-LABEL: derivative plan for reverse(@members
; CHECK: loop %for  touches other memory in each iteration of its reverse
define void @members(ptr noalias %a, ptr noalias %b, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds [3 x double], ptr %a, i64 %i
  %v = load double, ptr %at
  %at.z = getelementptr inbounds [3 x double], ptr %at, i64 0, i64 2
  %w = load double, ptr %at.z
  %sum = fadd double %v, %w
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; CHECK-LABEL: derivative plan for reverse(@near
; CHECK-NOT: touches other memory
define void @near(ptr noalias %a, ptr noalias %b, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds [3 x double], ptr %a, i64 %i
  %v = load double, ptr %at
  %at.z = getelementptr inbounds [3 x double], ptr %at, i64 4, i64 0
  %w = load double, ptr %at.z
  %sum = fadd double %v, %w
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Through an index: elements may come twice. One element: the sum is carried on in a register.
; CHECK-LABEL: derivative plan for reverse(@gather
; CHECK-NOT: touches other memory
define void @gather(ptr noalias %a, ptr noalias %at, ptr noalias %b, i64 %n) "isozyme-request"="reverse(dup,const,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %index = getelementptr inbounds i64, ptr %at, i64 %i
  %j = load i64, ptr %index
  %from = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %from
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; CHECK-LABEL: derivative plan for reverse(@one
; CHECK: loop %for  carries the adjoints of %v +0
; CHECK: loop %for  touches other memory in each iteration of its reverse
define void @one(ptr noalias %a, ptr noalias %b, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %v = load double, ptr %a
  %from = getelementptr inbounds double, ptr %b, i64 %i
  %w = load double, ptr %from
  %product = fmul double %v, %w
  store double %product, ptr %from
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Gaussian elimination: the row of the pivot and one below it. The last iteration of %j.for is an
; expression of the outer counter, without flags.
; CHECK-LABEL: derivative plan for reverse(@elimination
; CHECK: loop %j.for  touches other memory in each iteration of its reverse
define void @elimination(ptr noalias %a, ptr noalias %factors, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  %last = add nsw i64 %n, -1
  %any = icmp sgt i64 %n, 1
  br i1 %any, label %k.for, label %exit
k.for:
  %k = phi i64 [0, %entry], [%k.next, %k.end]
  %k.next = add nuw nsw i64 %k, 1
  %row.k = mul nsw i64 %k, %n
  %pivot = getelementptr inbounds double, ptr %a, i64 %row.k
  br label %i.for
i.for:
  %i = phi i64 [%k.next, %k.for], [%i.next, %i.end]
  %row.i = mul nsw i64 %i, %n
  %row = getelementptr inbounds double, ptr %a, i64 %row.i
  %at.factor = getelementptr inbounds double, ptr %factors, i64 %i
  %factor = load double, ptr %at.factor
  br label %j.for
j.for:
  %j = phi i64 [%k.next, %i.for], [%j.next, %j.for]
  %at.pivot = getelementptr inbounds double, ptr %pivot, i64 %j
  %p = load double, ptr %at.pivot
  %at = getelementptr inbounds double, ptr %row, i64 %j
  %v = load double, ptr %at
  %part = fmul double %factor, %p
  %left = fsub double %v, %part
  store double %left, ptr %at
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %n
  br i1 %j.done, label %i.end, label %j.for
i.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %k.end, label %i.for
k.end:
  %k.done = icmp eq i64 %k.next, %last
  br i1 %k.done, label %exit, label %k.for
exit:
  ret void
}

; Products of rows i and j, where j comes to i: then they are one row, and meet in the same iteration.
; CHECK-LABEL: derivative plan for reverse(@triangle
; CHECK: loop %k.for  touches other memory in each iteration of its reverse
define void @triangle(ptr noalias %x, ptr noalias %c, i64 %n, i64 %m) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %i.for, label %exit
i.for:
  %i = phi i64 [0, %entry], [%i.next, %i.end]
  %i.next = add nuw nsw i64 %i, 1
  %row.i = mul nsw i64 %i, %n
  %one = getelementptr inbounds double, ptr %x, i64 %row.i
  br label %j.for
j.for:
  %j = phi i64 [0, %i.for], [%j.next, %j.end]
  %row.j = mul nsw i64 %j, %n
  %other = getelementptr inbounds double, ptr %x, i64 %row.j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %sum = phi double [0.0, %j.for], [%sum.next, %k.for]
  %at = getelementptr inbounds double, ptr %one, i64 %k
  %v = load double, ptr %at
  %at.other = getelementptr inbounds double, ptr %other, i64 %k
  %w = load double, ptr %at.other
  %part = fmul double %v, %w
  %sum.next = fadd double %sum, %part
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, %n
  br i1 %k.done, label %j.end, label %k.for
j.end:
  %place = add nuw nsw i64 %row.i, %j
  %to = getelementptr inbounds double, ptr %c, i64 %place
  store double %sum.next, ptr %to
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %i.next
  br i1 %j.done, label %i.end, label %j.for
i.end:
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %exit, label %i.for
exit:
  ret void
}

; Here it is one row in the middle of the loop over j, and row j is behind row i after that. (They are apart, but that is
; not shown.)
; CHECK-LABEL: derivative plan for reverse(@beyond
; CHECK-NOT: touches other memory
define void @beyond(ptr noalias %x, ptr noalias %c, i64 %n, i64 %m) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %i.for, label %exit
i.for:
  %i = phi i64 [0, %entry], [%i.next, %i.end]
  %i.next = add nuw nsw i64 %i, 1
  %end = add nuw nsw i64 %i.next, 1
  %row.i = mul nsw i64 %i, %n
  %one = getelementptr inbounds double, ptr %x, i64 %row.i
  br label %j.for
j.for:
  %j = phi i64 [0, %i.for], [%j.next, %j.end]
  %row.j = mul nsw i64 %j, %n
  %other = getelementptr inbounds double, ptr %x, i64 %row.j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %sum = phi double [0.0, %j.for], [%sum.next, %k.for]
  %at = getelementptr inbounds double, ptr %one, i64 %k
  %v = load double, ptr %at
  %at.other = getelementptr inbounds double, ptr %other, i64 %k
  %w = load double, ptr %at.other
  %part = fmul double %v, %w
  %sum.next = fadd double %sum, %part
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, %n
  br i1 %k.done, label %j.end, label %k.for
j.end:
  %place = add nuw nsw i64 %row.i, %j
  %to = getelementptr inbounds double, ptr %c, i64 %place
  store double %sum.next, ptr %to
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %end
  br i1 %j.done, label %i.end, label %j.for
i.end:
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %exit, label %i.for
exit:
  ret void
}

; Rows that may reach into the next ones.
; CHECK-LABEL: derivative plan for reverse(@long
; CHECK-NOT: touches other memory
define void @long(ptr noalias %x, ptr noalias %c, i64 %n, i64 %m) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %i.for, label %exit
i.for:
  %i = phi i64 [0, %entry], [%i.next, %i.end]
  %i.next = add nuw nsw i64 %i, 1
  %row.i = mul nsw i64 %i, %m
  %one = getelementptr inbounds double, ptr %x, i64 %row.i
  br label %j.for
j.for:
  %j = phi i64 [0, %i.for], [%j.next, %j.end]
  %row.j = mul nsw i64 %j, %m
  %other = getelementptr inbounds double, ptr %x, i64 %row.j
  br label %k.for
k.for:
  %k = phi i64 [0, %j.for], [%k.next, %k.for]
  %sum = phi double [0.0, %j.for], [%sum.next, %k.for]
  %at = getelementptr inbounds double, ptr %one, i64 %k
  %v = load double, ptr %at
  %at.other = getelementptr inbounds double, ptr %other, i64 %k
  %w = load double, ptr %at.other
  %part = fmul double %v, %w
  %sum.next = fadd double %sum, %part
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, %n
  br i1 %k.done, label %j.end, label %k.for
j.end:
  %place = add nuw nsw i64 %row.i, %j
  %to = getelementptr inbounds double, ptr %c, i64 %place
  store double %sum.next, ptr %to
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %i.next
  br i1 %j.done, label %i.end, label %j.for
i.end:
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %exit, label %i.for
exit:
  ret void
}

; EMIT: ![[LOOP]] = distinct !{![[LOOP]], ![[PARALLEL:[0-9]+]]}
; EMIT: ![[PARALLEL]] = !{!"llvm.loop.parallel_accesses", ![[GROUP]]}
