; A block whose address is a number only to say how far its end is away, a constant on either side of the
; difference, is nowhere else: storing there does not change what an address out of memory leads to.
; RUN: %opt -isozyme-fuse=0 -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: derivative plan for reverse(@filled:
; CHECK: %x primal {{.*}} reload  (not overwritten afterwards)
; CHECK: shadow of %block: made here{{$}}
define double @filled(ptr noalias %holder, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  %bytes = shl nuw nsw i64 %n, 3
  %block = call noalias nonnull ptr @_Znwm(i64 %bytes)
  %end = getelementptr inbounds double, ptr %block, i64 %n
  %data = load ptr, ptr %holder
  %e = ptrtoint ptr %end to i64
  %b = ptrtoint ptr %block to i64
  %before = add i64 %e, -8
  %far = sub i64 %before, %b
  %last = lshr i64 %far, 3
  %count = add nuw nsw i64 %last, 1
  br label %fill
fill:
  %i = phi i64 [0, %entry], [%next, %fill]
  %px = getelementptr double, ptr %data, i64 %i
  %x = load double, ptr %px
  %square = fmul double %x, %x
  %pb = getelementptr double, ptr %block, i64 %i
  store double %square, ptr %pb
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, %count
  br i1 %more, label %fill, label %sums
sums:
  %j = phi i64 [0, %fill], [%after, %sums]
  %s = phi double [0.0, %fill], [%sum, %sums]
  %pj = getelementptr double, ptr %block, i64 %j
  %y = load double, ptr %pj
  %sum = fadd double %s, %y
  %after = add nuw nsw i64 %j, 2
  %again = icmp ult i64 %after, %n
  br i1 %again, label %sums, label %exit
exit:
  call void @_ZdlPvm(ptr %block, i64 %bytes)
  ret double %sum
}
declare noalias nonnull ptr @_Znwm(i64)
declare void @_ZdlPvm(ptr, i64)

; As a number it goes elsewhere.
; CHECK-LABEL: derivative plan for reverse(@told:
; CHECK: shadow of %block: made here; its address is in memory, too
define double @told(ptr noalias %x, ptr %numbers, i64 %i, i64 %j) "isozyme-request"="reverse(dup,const,const,const)->active" {
  %block = call noalias nonnull ptr @_Znwm(i64 64)
  %b = ptrtoint ptr %block to i64
  %some = add i64 %b, 8
  store i64 %some, ptr %numbers
  %v = load double, ptr %x
  %at = getelementptr double, ptr %block, i64 %i
  store double %v, ptr %at
  %from = getelementptr double, ptr %block, i64 %j
  %y = load double, ptr %from
  ret double %y
}
