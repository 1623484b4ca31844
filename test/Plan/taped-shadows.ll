; The shadow of a block that only its function knows lies in the memory of tapes, from the allocation on until the
; reverse sweep comes back there. Its release does nothing to the shadow.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -isozyme-tape-memory=malloc -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=HEAP

; HEAP-NOT: on the tape
; CHECK-LABEL: derivative plan for reverse(@own:
; CHECK:      %block = call @_Znwm: make shadow, release shadow  shadow on the tape
; CHECK:      call @_ZdlPvm: leave out, release  shadow on the tape
define double @own(ptr noalias %x, i64 %i, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
  %bytes = shl nuw nsw i64 %n, 3
  %block = call noalias nonnull ptr @_Znwm(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 %bytes, i1 false)
  %at = getelementptr double, ptr %block, i64 %i
  %v = load double, ptr %at
  %w = fmul double %v, %v
  call void @_ZdlPvm(ptr %block, i64 %bytes)
  ret double %w
}
declare noalias nonnull ptr @_Znwm(i64)
declare noalias ptr @malloc(i64)
declare noalias ptr @aligned_alloc(i64 allocalign, i64)
declare void @_ZdlPvm(ptr, i64)
declare void @free(ptr)

; One of two blocks is released here, the other one there.
; CHECK-LABEL: derivative plan for reverse(@swapped:
; CHECK:      %a = call @malloc: {{.*}}shadow on the tape
; CHECK:      %b = call @malloc: {{.*}}shadow on the tape
; CHECK:      call @free: {{.*}}shadow on the tape
; CHECK:      call @free: {{.*}}shadow on the tape
define double @swapped(ptr noalias %x, i64 %i, i64 %j, i1 %c) "isozyme-request"="reverse(dup,const,const,const)->active" {
entry:
  %a = call noalias ptr @malloc(i64 80)
  %b = call noalias ptr @malloc(i64 80)
  br i1 %c, label %other, label %end
other:
  br label %end
end:
  %first = phi ptr [%a, %entry], [%b, %other]
  %second = phi ptr [%b, %entry], [%a, %other]
  call void @llvm.memcpy.p0.p0.i64(ptr %first, ptr %x, i64 80, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %second, ptr %x, i64 80, i1 false)
  %at = getelementptr double, ptr %first, i64 %i
  %v = load double, ptr %at
  %beside = getelementptr double, ptr %second, i64 %j
  %w = load double, ptr %beside
  %u = fmul double %v, %w
  call void @free(ptr %first)
  call void @free(ptr %second)
  ret double %u
}

; A vector that may be empty: its size is told by the number of its end, which is then none.
; CHECK-LABEL: derivative plan for reverse(@may_be_empty:
; CHECK:      %block = call @_Znwm: {{.*}}shadow on the tape
; CHECK:      call @_ZdlPvm: leave out, release  shadow on the tape
define double @may_be_empty(ptr noalias %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %bytes = shl nuw nsw i64 %n, 3
  %none = icmp eq i64 %n, 0
  br i1 %none, label %known, label %allocate
allocate:
  %block = call noalias nonnull ptr @_Znwm(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 %bytes, i1 false)
  %behind = getelementptr i8, ptr %block, i64 %bytes
  %end.there = ptrtoint ptr %behind to i64
  br label %known
known:
  %start = phi ptr [null, %entry], [%block, %allocate]
  %end = phi i64 [0, %entry], [%end.there, %allocate]
  %nothing = icmp eq ptr %start, null
  br i1 %nothing, label %exit, label %use
use:
  %v = load double, ptr %start
  %w = fmul double %v, %v
  %begin = ptrtoint ptr %start to i64
  %size = sub i64 %end, %begin
  call void @_ZdlPvm(ptr %start, i64 %size)
  br label %exit
exit:
  %r = phi double [0.0, %known], [%w, %use]
  ret double %r
}

; The number may be that of the address itself, a product of it.
; CHECK-LABEL: derivative plan for reverse(@hashed:
; CHECK-NOT: on the tape
define double @hashed(ptr noalias %x, ptr %out, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %some = icmp ne i64 %n, 0
  %block = call noalias nonnull ptr @_Znwm(i64 80)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 80, i1 false)
  %there = ptrtoint ptr %block to i64
  br i1 %some, label %number, label %use
number:
  br label %use
use:
  %either = phi i64 [0, %entry], [%there, %number]
  %hash = mul i64 %either, 31
  store i64 %hash, ptr %out
  %v = load double, ptr %block
  %w = fmul double %v, %v
  call void @_ZdlPvm(ptr %block, i64 80)
  ret double %w
}

; Blocks of loops, aligned ones, those whose address is somewhere, and those that are released with one of these.
; CHECK-LABEL: derivative plan for reverse(@others:
; CHECK-NOT: on the tape
define double @others(ptr %x, ptr %list, i64 %n, i1 %c) "isozyme-request"="reverse(dup,dup,const,const)->active" {
entry:
  %shown = call noalias ptr @malloc(i64 80)
  store ptr %shown, ptr %list
  %aligned = call noalias ptr @aligned_alloc(i64 64, i64 128)
  %v = load double, ptr %x
  store double %v, ptr %aligned
  %with = call noalias ptr @malloc(i64 80)
  store double %v, ptr %with
  %w = load double, ptr %with
  br i1 %c, label %loop, label %one
one:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [0, %one], [%next, %loop]
  %either = phi ptr [%with, %entry], [%shown, %one], [%either, %loop]
  %again = call noalias ptr @malloc(i64 80)
  store double %v, ptr %again
  call void @free(ptr %again)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void @free(ptr %either)
  call void @free(ptr %aligned)
  ret double %w
}
