; A copy moves what is in a block, not where it is: storing in the block does not change what an address out of memory
; leads to, wherever the block has been filled from, or written to.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@copied:
; CHECK: %m primal {{.*}} reload  (not overwritten afterwards)
; CHECK: shadow of %block: made here{{$}}
define void @copied(ptr noalias %x, ptr noalias %out, ptr noalias %holder, i64 %n) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %bytes = shl nuw nsw i64 %n, 3
  %block = call noalias nonnull ptr @_Znwm(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 %bytes, i1 false)
  %masses = load ptr, ptr %holder
  br label %scale
scale:
  %i = phi i64 [0, %entry], [%next, %scale]
  %pm = getelementptr double, ptr %masses, i64 %i
  %m = load double, ptr %pm
  %pb = getelementptr double, ptr %block, i64 %i
  %v = load double, ptr %pb
  %scaled = fmul double %v, %m
  store double %scaled, ptr %pb
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %n
  br i1 %more, label %scale, label %exit
exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %block, i64 %bytes, i1 false)
  call void @_ZdlPvm(ptr %block, i64 %bytes)
  ret void
}
declare noalias nonnull ptr @_Znwm(i64)
declare void @_ZdlPvm(ptr, i64)

; It is told where its address is stored.
; CHECK-LABEL: derivative plan for reverse(@shown:
; CHECK: shadow of %block: made here; its address is in memory, too
define void @shown(ptr noalias %x, ptr %list, i64 %i) "isozyme-request"="reverse(dup,dup,const)->const" {
  %block = call noalias nonnull ptr @_Znwm(i64 64)
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %x, i64 64, i1 false)
  store ptr %block, ptr %list
  %at = getelementptr double, ptr %block, i64 %i
  %v = load double, ptr %at
  %square = fmul double %v, %v
  store double %square, ptr %at
  ret void
}
