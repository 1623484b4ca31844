; A loop over neighbours: what the iterations add to one element of the shadow is summed up in
; registers, and memory is read and written once for each element.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-adjoint-order=source -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SOURCE
; SOURCE-NOT: carries the adjoints
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=CODE
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=GAP
; RUN: %opt -passes='autodiff,default<O2>' -force-vector-width=2 -S %s | FileCheck %s --check-prefix=FAST
; FAST-LABEL: define void @gradient(
; FAST: %vector.recur{{.*}} = phi <{{.*}} x double>

; A file of plans can leave the sums in memory.
; RUN: %opt -passes=autodiff -isozyme-plan-out=%t.json -disable-output %s
; RUN: FileCheck %s --check-prefix=OUT < %t.json
; OUT: "sums": [
; OUT-NEXT: {
; OUT-NEXT: "choices": [
; OUT-NEXT: "at once",
; OUT-NEXT: "carried"
; OUT-NEXT: ],
; OUT-NEXT: "decision": "carried",
; OUT-NEXT: "sum": "%right"
; RUN: echo '{"version": 1, "plans": [{"function": "smooth", "sums": [{"sum": "%%right", "decision": "at once"}]}]}' > %t.in.json
; RUN: %opt -passes=autodiff -isozyme-plan-in=%t.in.json -isozyme-plan-out=%t.json -isozyme-verify-each -isozyme-print-after=plan -disable-output %s 2>&1 | FileCheck %s --check-prefix=TURNED --implicit-check-not=IZ319
; RUN: FileCheck %s --check-prefix=WRITTEN < %t.json
; TURNED-NOT: carries the adjoints
; TURNED: loop %for  adds the adjoints of %right and its neighbours at once  (as the file of plans says)
; WRITTEN: "decision": "at once",
; WRITTEN-NEXT: "sum": "%right"
; RUN: echo '{"version": 1, "plans": [{"function": "smooth", "sums": [{"sum": "%%here", "decision": "carried"}, {"sum": "%%right", "line": 7, "decision": "at once"}]}]}' > %t.wrong.json
; RUN: %opt -passes=autodiff -isozyme-plan-in=%t.wrong.json -disable-output %s 2>&1 | FileCheck %s --check-prefix=WRONG --implicit-check-not=IZ319
; WRONG-DAG: the file of plans asks for '%right' in another way, but it stands in line 0 now, not in line 7 [IZ319]
; WRONG-DAG: the file of plans asks for '%here' in another way, but no loop can carry a sum that this load ends [IZ319]
; RUN: echo '{"version": 1, "plans": [{"function": "smooth", "sums": [{"sum": "%%right", "decision": "apart"}]}]}' > %t.word.json
; RUN: not %opt -passes=autodiff -isozyme-plan-in=%t.word.json -disable-output %s 2>&1 | FileCheck %s --check-prefix=WORD
; WORD: error: {{.*}}expected at once or carried at file.plans[0].sums[0].decision

; CHECK: derivative plan for reverse(@smooth
; CHECK: loop %for  carries the adjoints of %left +0 %here +1 %right +2  (neighbours of one another)
; CODE-LABEL: define void @gradient(
; CODE: rev.for.i:
; CODE: %left.pending{{.*}} = phi double
; CODE: %left.pending{{.*}} = phi double
; CODE: store double 0.0{{.*}}, ptr %to.shadow
; CODE: store double
; CODE-NOT: store
; CODE: reverse.smooth.exit:
; CODE: store double
; CODE: store double
define void @smooth(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %at, i64 -8
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %left = load double, ptr %before
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fadd double %left, %right
  %square = fmul double %here, %here
  %all = fadd double %sum, %square
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %all, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Downwards: the left neighbour is the last to be read, and the first in the reverse sweep.
; CHECK: derivative plan for reverse(@downwards
; CHECK: loop %for  carries the adjoints of %left +0 %here +1  (neighbours of one another)
define void @downwards(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [%n, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %at, i64 -8
  %left = load double, ptr %before
  %here = load double, ptr %at
  %sum = fsub double %here, %left
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum, ptr %to
  %next = add nsw i64 %i, -1
  %more = icmp sgt i64 %next, 0
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Two buffers that change places after each step are never one.
; CHECK: derivative plan for reverse(@swapped
; CHECK: loop %for  carries the adjoints of %here +0 %right +1  (neighbours of one another)
define void @swapped(ptr noalias %x, ptr noalias %y, i64 %n, i64 %steps) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %done]
  %now = phi ptr [%x, %entry], [%then, %done]
  %then = phi ptr [%y, %entry], [%now, %done]
  br label %for
for:
  %i = phi i64 [0, %step], [%next, %for]
  %at = getelementptr inbounds double, ptr %now, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fsub double %right, %here
  %to = getelementptr inbounds double, ptr %then, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %done
done:
  %s.next = add nuw nsw i64 %s, 1
  %go = icmp slt i64 %s.next, %steps
  br i1 %go, label %step, label %exit
exit:
  ret void
}

; In place: the adjoint of what is stored is that of what the next iteration has read.
; CHECK: derivative plan for reverse(@inplace
; CHECK-NOT: carries the adjoints
define void @inplace(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fadd double %here, %right
  store double %sum, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Buffers that may be one.
; CHECK: derivative plan for reverse(@mayoverlap
; CHECK-NOT: carries the adjoints
define void @mayoverlap(ptr %x, ptr %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fadd double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; The element in between is read by the next iteration. Of a single iteration it may belong to nobody:
; then what is pending, nothing, is added where something was read.
; CHECK: derivative plan for reverse(@gap
; CHECK: loop %for  carries the adjoints of %left +0 %right +2  (neighbours of one another)
define void @gap(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %at, i64 -8
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %left = load double, ptr %before
  %right = load double, ptr %after
  %sum = fsub double %right, %left
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Two elements in between.
; CHECK: derivative plan for reverse(@far
; CHECK-NOT: carries the adjoints
define void @far(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %at, i64 -8
  %after = getelementptr inbounds i8, ptr %at, i64 16
  %left = load double, ptr %before
  %right = load double, ptr %after
  %sum = fsub double %right, %left
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Rows at constant distances: only what is near is summed up.
; CHECK: derivative plan for reverse(@rows
; CHECK: loop %for  carries the adjoints of %left +0 %right +2  (neighbours of one another)
; CHECK-NOT: carries the adjoints
define void @rows(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %at, i64 -8
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %up = getelementptr inbounds i8, ptr %at, i64 -400
  %down = getelementptr inbounds i8, ptr %at, i64 400
  %north = load double, ptr %up
  %south = load double, ptr %down
  %left = load double, ptr %before
  %right = load double, ptr %after
  %along = fsub double %right, %left
  %across = fsub double %south, %north
  %sum = fsub double %along, %across
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; How many iterations have run is known when they have.
; CHECK: derivative plan for reverse(@open
; CHECK-NOT: carries the adjoints
define void @open(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %at, i64 -8
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %left = load double, ptr %before
  %right = load double, ptr %after
  %sum = fsub double %right, %left
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %small = fcmp olt double %sum, 1.0
  %before.n = icmp slt i64 %next, %n
  %more = and i1 %small, %before.n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Memory that is made when there is the other address already is another object, also by way of a phi.
; CHECK: derivative plan for reverse(@later
; CHECK: loop %for  carries the adjoints of %here +0 %right +1  (neighbours of one another)
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)
define double @later(ptr %x, i64 %n, i64 %steps) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %done]
  %now = phi ptr [%x, %entry], [%then, %done]
  %none = icmp eq i64 %n, 0
  br i1 %none, label %join, label %make
make:
  %new = call ptr @malloc(i64 800)
  br label %join
join:
  %then = phi ptr [null, %step], [%new, %make]
  br label %for
for:
  %i = phi i64 [0, %join], [%next, %for]
  %at = getelementptr inbounds double, ptr %now, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fmul double %right, %here
  %to = getelementptr inbounds double, ptr %then, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %done
done:
  %s.next = add nuw nsw i64 %s, 1
  %go = icmp slt i64 %s.next, %steps
  br i1 %go, label %step, label %exit
exit:
  %r = load double, ptr %then
  ret double %r
}

; An address that is read when the memory is made may be that of the memory.
; CHECK: derivative plan for reverse(@earlier
; CHECK-NOT: carries the adjoints
define double @earlier(ptr %x, ptr %where, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  %new = call ptr @malloc(i64 800)
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %x, i64 800, i1 false)
  store ptr %new, ptr %where
  %pick = getelementptr ptr, ptr %where, i64 %n
  %now = load ptr, ptr %pick
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %at = getelementptr inbounds double, ptr %now, i64 %i
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fmul double %right, %here
  %to = getelementptr inbounds double, ptr %new, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  %r = load double, ptr %new
  ret double %r
}

; Every second element: no two iterations read the same.
; CHECK: derivative plan for reverse(@pairs
; CHECK-NOT: carries the adjoints
define void @pairs(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %two = shl nuw nsw i64 %i, 1
  %at = getelementptr inbounds double, ptr %x, i64 %two
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %sum = fsub double %right, %here
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; Members of records: each member has neighbours of its own.
; CHECK: derivative plan for reverse(@records
; CHECK: loop %for  carries the adjoints of %left +0 %right +2  (neighbours of one another)
; CHECK: loop %for  carries the adjoints of %speed +0 %ahead +1  (neighbours of one another)
define void @records(ptr noalias %x, ptr noalias %y, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [1, %entry], [%next, %for]
  %at = getelementptr inbounds {double, double, i32}, ptr %x, i64 %i
  %before = getelementptr inbounds i8, ptr %at, i64 -24
  %after = getelementptr inbounds i8, ptr %at, i64 24
  %ofhere = getelementptr inbounds i8, ptr %at, i64 8
  %ofafter = getelementptr inbounds i8, ptr %at, i64 32
  %left = load double, ptr %before
  %right = load double, ptr %after
  %speed = load double, ptr %ofhere
  %ahead = load double, ptr %ofafter
  %slope = fsub double %right, %left
  %sum = fadd double %speed, %ahead
  %flow = fadd double %sum, %slope
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %flow, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; GAP-LABEL: define void @central(
; GAP: br i1
; GAP: reverse.gap.exit:
; GAP: [[ONE:%.*]] = icmp eq i64 {{.*}}, 0
; GAP: select i1 [[ONE]]
declare void @__enzyme_autodiff(...)
define void @gradient(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @smooth, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
define void @central(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @gap, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
