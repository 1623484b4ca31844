; Scratch memory that is filled by one loop, with a trip count of max(d, 1), and read by a triangle of loops that run
; where d is not zero: what is tested in front says that d is not negative, so that these are the same elements.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

declare noalias ptr @malloc(i64) "alloc-family"="malloc" allockind("alloc,uninitialized") allocsize(0)
declare void @free(ptr) "alloc-family"="malloc" allockind("free")
declare i32 @llvm.smax.i32(i32, i32)
declare void @noted() nounwind memory(none)
declare void @stop() noreturn nounwind

; CHECK: derivative plan for reverse(@square
; CHECK: loop %points  runs in {{the reverse sweep only|both sweeps, for that costs little}}
define double @square(ptr noalias %a, i32 %d, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  %negative = icmp slt i32 %d, 0
  br i1 %negative, label %wrong, label %right
right:
  %big = icmp ugt i32 %d, 9
  br i1 %big, label %note, label %begin
note:
  call void @noted()
  br label %begin
wrong:
  call void @stop()
  unreachable
begin:
  %wide = zext i32 %d to i64
  %signed = sext i32 %d to i64
  %bytes = shl i64 %signed, 3
  %t = call noalias ptr @malloc(i64 %bytes)
  %none = icmp eq i32 %d, 0
  %max = call i32 @llvm.smax.i32(i32 %d, i32 1)
  %count = zext i32 %max to i64
  br label %points
points:
  %p = phi i64 [0, %begin], [%p.next, %points.latch]
  %sum = phi double [0.0, %begin], [%sum.p, %points.latch]
  br i1 %none, label %points.latch, label %fill
fill:
  %i = phi i64 [0, %points], [%i.next, %fill]
  %ai = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %ai
  %vv = fmul double %v, %v
  %ti = getelementptr inbounds double, ptr %t, i64 %i
  store double %vv, ptr %ti
  %i.next = add nuw nsw i64 %i, 1
  %filled = icmp eq i64 %i.next, %count
  br i1 %filled, label %column, label %fill
column:
  %c = phi i64 [0, %fill], [%c.next, %column.latch]
  %first = add nuw nsw i64 %c, 1
  %any = icmp slt i64 %first, %signed
  br i1 %any, label %row, label %column.latch
row:
  %r = phi i64 [%first, %column], [%r.next, %row]
  %tr = getelementptr inbounds double, ptr %t, i64 %r
  %x = load double, ptr %tr
  %twice = fadd double %x, %x
  store double %twice, ptr %tr
  %r.next = add nuw nsw i64 %r, 1
  %done = icmp eq i64 %r.next, %wide
  br i1 %done, label %column.latch, label %row
column.latch:
  %c.next = add nuw nsw i64 %c, 1
  %columns = icmp eq i64 %c.next, %count
  br i1 %columns, label %squares, label %column
squares:
  %k = phi i64 [0, %column.latch], [%k.next, %squares]
  %s = phi double [%sum, %column.latch], [%more, %squares]
  %tk = getelementptr inbounds double, ptr %t, i64 %k
  %y = load double, ptr %tk
  %yy = fmul double %y, %y
  %more = fadd double %s, %yy
  %k.next = add nuw nsw i64 %k, 1
  %squared = icmp eq i64 %k.next, %count
  br i1 %squared, label %points.latch, label %squares
points.latch:
  %sum.p = phi double [%sum, %points], [%more, %squares]
  %p.next = add nuw nsw i64 %p, 1
  %again = icmp ult i64 %p.next, %n
  br i1 %again, label %points, label %exit
exit:
  call void @free(ptr %t)
  ret double %sum.p
}
