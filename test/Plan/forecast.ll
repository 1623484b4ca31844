; What a plan will cost: iterations are constant, from a profile, or assumed.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck --check-prefix=FUSED %s

; An iteration: a load (2), exp (40), a sum, a counter, a comparison, so 45; 16 for what is kept,
; whose address is kept once.
; CHECK-LABEL: @known
; CHECK: forecast  808 bytes of tape; work 5308 forward + 5910 reverse, of the function 4500{{$}}
; FUSED-LABEL: @known
; FUSED: forecast  8 bytes of tape; work 0 forward + 11202 reverse, of the function 4500{{$}}
define double @known(ptr noalias %x) "isozyme-request"="reverse(dup)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %for, label %exit
exit:
  ret double %sum
}

; CHECK-LABEL: @profiled
; CHECK: forecast  808 bytes of tape; work {{.*}}, of the function 4502{{$}}
define double @profiled(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %for, label %exit, !prof !0
exit:
  ret double %sum
}

; CHECK-LABEL: @assumed
; CHECK: forecast  136 bytes of tape; work {{.*}}; assumed 16 iterations of %for{{$}}
define double @assumed(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %sum = fadd double %s, %e
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %sum
}
declare double @exp(double)
!0 = !{!"branch_weights", i32 99, i32 1}
