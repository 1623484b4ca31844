; A block that is null where it is empty, as that of a std::vector, is scratch memory of a loop: each
; iteration clears it and adds to it. The two tests of its size are tests of the same.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

declare noalias ptr @_Znwm(i64)
declare void @_ZdlPvm(ptr, i64)
declare double @exp(double) nounwind willreturn
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; CHECK: derivative plan for reverse(@cleared
; CHECK: loop %rows  runs in the reverse sweep only
define double @cleared(ptr noalias %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %bytes = shl nuw nsw i64 %m, 3
  %none = icmp eq i64 %m, 0
  br i1 %none, label %begin, label %make
make:
  %new = call noalias ptr @_Znwm(i64 %bytes)
  br label %begin
begin:
  %t = phi ptr [null, %entry], [%new, %make]
  br label %rows
rows:
  %r = phi i64 [0, %begin], [%r.next, %rows.latch]
  %s = phi double [0.0, %begin], [%total, %rows.latch]
  %any = icmp sgt i64 %m, 0
  br i1 %any, label %clear, label %cleared
clear:
  call void @llvm.memset.p0.i64(ptr %t, i8 0, i64 %bytes, i1 false)
  br label %cleared
cleared:
  %again = icmp sgt i64 %m, 0
  br i1 %again, label %for, label %rows.latch
for:
  %i = phi i64 [0, %cleared], [%i.next, %for]
  %sum = phi double [%s, %cleared], [%more, %for]
  %ri = add nuw nsw i64 %r, %i
  %p = getelementptr inbounds double, ptr %x, i64 %ri
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %at = getelementptr inbounds double, ptr %t, i64 %i
  %old = load double, ptr %at
  %now = fadd double %old, %e
  store double %now, ptr %at
  %square = fmul double %now, %now
  %more = fadd double %sum, %square
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp slt i64 %i.next, %m
  br i1 %go, label %for, label %rows.latch
rows.latch:
  %total = phi double [%s, %cleared], [%more, %for]
  %r.next = add nuw nsw i64 %r, 1
  %go.rows = icmp slt i64 %r.next, %n
  br i1 %go.rows, label %rows, label %done
done:
  %begin.at = ptrtoint ptr %t to i64
  %last = getelementptr inbounds i8, ptr %t, i64 %bytes
  %end.at = ptrtoint ptr %last to i64
  %size = sub i64 %end.at, %begin.at
  %empty = icmp eq ptr %t, null
  br i1 %empty, label %exit, label %release
release:
  call void @_ZdlPvm(ptr nonnull %t, i64 %size)
  br label %exit
exit:
  ret double %total
}

; The last element is not cleared.
; CHECK: derivative plan for reverse(@short
; CHECK-NOT: runs in the reverse sweep only
define double @short(ptr noalias %x, i64 %n, i64 %m) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %bytes = shl nuw nsw i64 %m, 3
  %fewer = sub nsw i64 %bytes, 8
  %new = call noalias ptr @_Znwm(i64 %bytes)
  br label %rows
rows:
  %r = phi i64 [0, %entry], [%r.next, %rows.latch]
  %s = phi double [0.0, %entry], [%total, %rows.latch]
  %any = icmp sgt i64 %m, 0
  br i1 %any, label %clear, label %rows.latch
clear:
  call void @llvm.memset.p0.i64(ptr %new, i8 0, i64 %fewer, i1 false)
  br label %for
for:
  %i = phi i64 [0, %clear], [%i.next, %for]
  %sum = phi double [%s, %clear], [%more, %for]
  %ri = add nuw nsw i64 %r, %i
  %p = getelementptr inbounds double, ptr %x, i64 %ri
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %at = getelementptr inbounds double, ptr %new, i64 %i
  %old = load double, ptr %at
  %now = fadd double %old, %e
  store double %now, ptr %at
  %square = fmul double %now, %now
  %more = fadd double %sum, %square
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp slt i64 %i.next, %m
  br i1 %go, label %for, label %rows.latch
rows.latch:
  %total = phi double [%s, %rows], [%more, %for]
  %r.next = add nuw nsw i64 %r, 1
  %go.rows = icmp slt i64 %r.next, %n
  br i1 %go.rows, label %rows, label %exit
exit:
  call void @_ZdlPvm(ptr %new, i64 %bytes)
  ret double %total
}

; It is cleared where another number is positive.
; CHECK: derivative plan for reverse(@other
; CHECK-NOT: runs in the reverse sweep only
define double @other(ptr noalias %x, i64 %n, i64 %m, i64 %k) "isozyme-request"="reverse(dup,const,const,const)->active" {
entry:
  %bytes = shl nuw nsw i64 %m, 3
  %new = call noalias ptr @_Znwm(i64 %bytes)
  br label %rows
rows:
  %r = phi i64 [0, %entry], [%r.next, %rows.latch]
  %s = phi double [0.0, %entry], [%total, %rows.latch]
  %any = icmp sgt i64 %k, 0
  br i1 %any, label %clear, label %cleared
clear:
  call void @llvm.memset.p0.i64(ptr %new, i8 0, i64 %bytes, i1 false)
  br label %cleared
cleared:
  %again = icmp sgt i64 %m, 0
  br i1 %again, label %for, label %rows.latch
for:
  %i = phi i64 [0, %cleared], [%i.next, %for]
  %sum = phi double [%s, %cleared], [%more, %for]
  %ri = add nuw nsw i64 %r, %i
  %p = getelementptr inbounds double, ptr %x, i64 %ri
  %v = load double, ptr %p
  %e = call double @exp(double %v)
  %at = getelementptr inbounds double, ptr %new, i64 %i
  %old = load double, ptr %at
  %now = fadd double %old, %e
  store double %now, ptr %at
  %square = fmul double %now, %now
  %more = fadd double %sum, %square
  %i.next = add nuw nsw i64 %i, 1
  %go = icmp slt i64 %i.next, %m
  br i1 %go, label %for, label %rows.latch
rows.latch:
  %total = phi double [%s, %cleared], [%more, %for]
  %r.next = add nuw nsw i64 %r, 1
  %go.rows = icmp slt i64 %r.next, %n
  br i1 %go.rows, label %rows, label %exit
exit:
  call void @_ZdlPvm(ptr %new, i64 %bytes)
  ret double %total
}
