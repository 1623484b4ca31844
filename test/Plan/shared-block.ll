; Arrays of one loop and one type are made by one call, and given back by one. One address is kept.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: sed 's/"isozyme-request"="[^"]*"//' %s | %opt -passes='autodiff<no-cleanup>' -S - | FileCheck %s --check-prefix=CODE
; CHECK: tape (returned)
; CHECK: ptr scalar {{.*}} base of #[[FIRST:[0-9]+]]
; CHECK: #[[FIRST]]  double array %loop  8 bytes * (%{{.*}}+1)  %
; CHECK-NEXT: double array %loop  8 bytes * (%{{.*}}+1)  in the block of #[[FIRST]]  %
; CODE-LABEL: define internal {{.*}} @augment.f(
; CODE: call ptr @isozyme.tape.push
; CODE-NOT: call ptr @isozyme.tape.push
; CODE-LABEL: define internal {{.*}} @reverse.from.tape.f(
; CODE: call void @isozyme.tape.pop
; CODE-NOT: call void @isozyme.tape.pop
; CODE: ret
define void @f(ptr %a, ptr %b, i64 %n) noinline "isozyme-request"="augment(dup overwritten,dup overwritten,const)->const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %q = getelementptr inbounds double, ptr %b, i64 %i
  %x = load double, ptr %p
  %y = load double, ptr %q
  %z = fmul double %x, %y
  %s = fmul double %z, %z
  store double %s, ptr %p
  store double %z, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define double @g(ptr %a, ptr %b, i64 %n) {
  call void @f(ptr %a, ptr %b, i64 %n)
  call void @f(ptr %a, ptr %b, i64 %n)
  %r = load double, ptr %a
  ret double %r
}
declare void @__enzyme_autodiff(ptr, ...)
define void @dg(ptr %a, ptr %da, ptr %b, ptr %db, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %a, ptr %da, ptr %b, ptr %db, i64 %n)
  ret void
}
