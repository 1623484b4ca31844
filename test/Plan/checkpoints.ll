; A loop with isozyme_checkpoint becomes a function of a range of its iterations. The plan of its
; pair says what a snapshot holds, and what the tape of an iteration takes.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-tape-limit=300K -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LIMIT
; RUN: %opt -passes=autodiff -S %s | FileCheck %s --check-prefix=CODE

declare void @isozyme_checkpoint()

; In place, 1000 numbers, 10,000 steps: all constants, so there are figures.
; CHECK-LABEL: checkpoints for augment(@constant.steps:
; CHECK-NEXT: snapshot (8000 bytes)
; CHECK-NEXT: %u bytes 0 to 8000
; CHECK-NEXT: tape of an iteration 8000 bytes
; CHECK-NEXT: forecast parts of 100 iterations; 1.608 MB at once in place of 80 MB; 1 runs of the loop more
; LIMIT-LABEL: checkpoints for augment(@constant.steps:
; LIMIT: forecast parts of {{[0-9]+}} iterations, cut {{[2-9]}} times into {{[0-9]+}}; 0.2{{.*}} MB at once in place of 80 MB; {{[2-9].*}} runs of the loop more
; RUN: %opt -isozyme-tape-limit=20K -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=LITTLE
; LITTLE: MB at once, more than the limit, in place of 80 MB
; CHECK-LABEL: derivative plan for reverse(@constant:
; CHECK: @constant.steps differentiate augment(@constant.steps:
define void @constant(ptr %u) "isozyme-request"="reverse(dup)->const" {
entry:
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %done]
  call void @isozyme_checkpoint()
  br label %for
for:
  %j = phi i64 [0, %step], [%j.next, %for]
  %p = getelementptr inbounds double, ptr %u, i64 %j
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %p
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 1000
  br i1 %j.more, label %for, label %done
done:
  %s.next = add nuw nsw i64 %s, 1
  %s.more = icmp ult i64 %s.next, 10000
  br i1 %s.more, label %step, label %exit
exit:
  ret void
}

; Two buffers that change places: which is which goes round as a number. What is written is
; n numbers of each, if there are any.
; CHECK-LABEL: checkpoints for augment(@swapped.steps:
; CHECK-NEXT: snapshot{{$}}
; CHECK-NEXT: %v bytes 0 to (8 * (1 smax %n))
; CHECK-NEXT: %u bytes 0 to (8 * (1 smax %n))
; CHECK-NEXT: %which.carried bytes 0 to 4
; CHECK-NEXT: %which{{.*}}.carried bytes 0 to 4
; CHECK-NEXT: tape of an iteration 2 bytes + 8 bytes * %extent
; CHECK-NEXT: forecast chosen when the loop is reached
; CODE-LABEL: define {{.*}}@swapped.steps(
; CODE: phi i32
; CODE: select i1
define void @swapped(ptr noalias %u, ptr noalias %v, i64 %n, i64 %steps) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %n.some = icmp sgt i64 %n, 0
  %steps.some = icmp sgt i64 %steps, 0
  %some = and i1 %n.some, %steps.some
  br i1 %some, label %step, label %exit
step:
  %s = phi i64 [0, %entry], [%s.next, %done]
  %now = phi ptr [%u, %entry], [%next, %done]
  %next = phi ptr [%v, %entry], [%now, %done]
  call void @isozyme_checkpoint()
  br label %for
for:
  %j = phi i64 [0, %step], [%j.next, %for]
  %p = getelementptr inbounds double, ptr %now, i64 %j
  %x = load double, ptr %p
  %y = fmul double %x, %x
  %q = getelementptr inbounds double, ptr %next, i64 %j
  store double %y, ptr %q
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %for, label %done
done:
  %s.next = add nuw nsw i64 %s, 1
  %s.more = icmp slt i64 %s.next, %steps
  br i1 %s.more, label %step, label %exit
exit:
  ret void
}

; A scalar that is carried lies in a variable; a store in a branch whose condition is known before
; the loop is saved under that condition.
; CHECK-LABEL: checkpoints for augment(@carried.steps:
; CHECK: bytes 0 to 8, if %c
; CHECK: bytes 0 to 8
define double @carried(double %x, ptr %log, i1 %c, i64 %steps) "isozyme-request"="reverse(active,dup,const,const)->active" {
entry:
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %latch]
  %v = phi double [%x, %entry], [%w, %latch]
  call void @isozyme_checkpoint()
  %w = fmul double %v, %v
  br i1 %c, label %then, label %latch
then:
  store double %v, ptr %log
  br label %latch
latch:
  %s.next = add nuw nsw i64 %s, 1
  %s.more = icmp slt i64 %s.next, %steps
  br i1 %s.more, label %step, label %exit
exit:
  ret double %w
}

define void @ask(ptr %u, ptr %du, ptr %v, ptr %dv) {
  call void (...) @__enzyme_autodiff(ptr @swapped, ptr %u, ptr %du, ptr %v, ptr %dv, i64 10, i64 10)
  ret void
}
declare void @__enzyme_autodiff(...)
