; Rows of a square whose index has 32 bits and may wrap, as far as flags tell: with what branches in
; front of the loops say of its side, it does not.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

; The side is at least three where there is a row. So side - 3 is a number of iterations, and no row
; goes into the next one.
; CHECK-LABEL: derivative plan for reverse(@square
; CHECK: loop %for  counts up
; CHECK-NEXT: loop %row  counts up
; CHECK-NOT: loop %step  counts up
define void @square(ptr noalias %x, ptr noalias %y, i32 %side, i64 %steps) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %wide = icmp sgt i32 %side, 2
  %less = add i32 %side, -3
  %last = zext i32 %less to i64
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %step.end]
  br i1 %wide, label %rows, label %step.end
rows:
  br label %row
row:
  %r = phi i64 [0, %rows], [%r.next, %row.end]
  %r.short = trunc nuw nsw i64 %r to i32
  %r.1 = add nuw nsw i32 %r.short, 1
  %r.2 = add nuw nsw i32 %r.short, 2
  %begin = mul nuw nsw i32 %r.1, %side
  %end = mul nuw nsw i32 %r.2, %side
  %second = add nuw nsw i32 %begin, 2
  %any = icmp slt i32 %second, %end
  br i1 %any, label %enter, label %row.end
enter:
  %first = add nuw nsw i32 %begin, 1
  br label %for
for:
  %i = phi i64 [0, %enter], [%next, %for]
  %i.short = trunc i64 %i to i32
  %number = add i32 %first, %i.short
  %index = sext i32 %number to i64
  %at = getelementptr inbounds double, ptr %x, i64 %index
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %index
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i, %last
  br i1 %done, label %row.end, label %for
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %r.done = icmp eq i64 %r, %last
  br i1 %r.done, label %step.end, label %row
step.end:
  %s.next = add nuw nsw i64 %s, 1
  %more = icmp slt i64 %s.next, %steps
  br i1 %more, label %step, label %exit
exit:
  ret void
}

; Nothing is said of the side: with two, these loops would run 2^32 times.
; CHECK-LABEL: derivative plan for reverse(@anySide
; CHECK: carries the adjoints of
; CHECK-NOT: counts up
define void @anySide(ptr noalias %x, ptr noalias %y, i32 %side, i64 %steps) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %wide = icmp sgt i32 %side, 2
  %less = add i32 %side, -3
  %last = zext i32 %less to i64
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %step.end]
  br label %rows
rows:
  br label %row
row:
  %r = phi i64 [0, %rows], [%r.next, %row.end]
  %r.short = trunc nuw nsw i64 %r to i32
  %r.1 = add nuw nsw i32 %r.short, 1
  %r.2 = add nuw nsw i32 %r.short, 2
  %begin = mul nuw nsw i32 %r.1, %side
  %end = mul nuw nsw i32 %r.2, %side
  %second = add nuw nsw i32 %begin, 2
  %any = icmp slt i32 %second, %end
  br i1 %any, label %enter, label %row.end
enter:
  %first = add nuw nsw i32 %begin, 1
  br label %for
for:
  %i = phi i64 [0, %enter], [%next, %for]
  %i.short = trunc i64 %i to i32
  %number = add i32 %first, %i.short
  %index = sext i32 %number to i64
  %at = getelementptr inbounds double, ptr %x, i64 %index
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %index
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i, %last
  br i1 %done, label %row.end, label %for
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %r.done = icmp eq i64 %r, %last
  br i1 %r.done, label %step.end, label %row
step.end:
  %s.next = add nuw nsw i64 %s, 1
  %more = icmp slt i64 %s.next, %steps
  br i1 %more, label %step, label %exit
exit:
  ret void
}

; Each row goes into the next one.
; CHECK-LABEL: derivative plan for reverse(@longRows
; CHECK: carries the adjoints of
; CHECK-NOT: counts up
define void @longRows(ptr noalias %x, ptr noalias %y, i32 %side, i64 %steps) "isozyme-request"="reverse(dup,dup,const,const)->const" {
entry:
  %wide = icmp sgt i32 %side, 2
  %less = add i32 %side, 0
  %last = zext i32 %less to i64
  br label %step
step:
  %s = phi i64 [0, %entry], [%s.next, %step.end]
  br i1 %wide, label %rows, label %step.end
rows:
  br label %row
row:
  %r = phi i64 [0, %rows], [%r.next, %row.end]
  %r.short = trunc nuw nsw i64 %r to i32
  %r.1 = add nuw nsw i32 %r.short, 1
  %r.2 = add nuw nsw i32 %r.short, 2
  %begin = mul nuw nsw i32 %r.1, %side
  %end = mul nuw nsw i32 %r.2, %side
  %second = add nuw nsw i32 %begin, 2
  %any = icmp slt i32 %second, %end
  br i1 %any, label %enter, label %row.end
enter:
  %first = add nuw nsw i32 %begin, 1
  br label %for
for:
  %i = phi i64 [0, %enter], [%next, %for]
  %i.short = trunc i64 %i to i32
  %number = add i32 %first, %i.short
  %index = sext i32 %number to i64
  %at = getelementptr inbounds double, ptr %x, i64 %index
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %index
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i, %last
  br i1 %done, label %row.end, label %for
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %r.done = icmp eq i64 %r, %last
  br i1 %r.done, label %step.end, label %row
step.end:
  %s.next = add nuw nsw i64 %s, 1
  %more = icmp slt i64 %s.next, %steps
  br i1 %more, label %step, label %exit
exit:
  ret void
}

; A number that is loaded again for each plane is the same for all of its rows. It may be negative:
; what does not wrap in front of a row and behind it does not wrap in between.
; CHECK-LABEL: derivative plan for reverse(@planes
; CHECK: loop %for  counts up
; CHECK-NEXT: loop %row  counts up
; CHECK-NOT: loop %step  counts up
define void @planes(ptr noalias %x, ptr noalias %y, ptr noalias readonly %p, i32 %side, i32 %steps) "isozyme-request"="reverse(dup,dup,const,const,const)->const" {
entry:
  %wide = icmp sgt i32 %side, 2
  %less = add i32 %side, -3
  %last = zext i32 %less to i64
  br label %step
step:
  %s = phi i32 [0, %entry], [%s.next, %step.end]
  br i1 %wide, label %rows, label %step.end
rows:
  %plane = load i32, ptr %p
  br label %row
row:
  %r = phi i64 [0, %rows], [%r.next, %row.end]
  %front = mul nsw i32 %s, %plane
  %r.short = trunc nuw nsw i64 %r to i32
  %r.1 = add nuw nsw i32 %r.short, 1
  %r.2 = add nuw nsw i32 %r.short, 2
  %begin = mul nuw nsw i32 %r.1, %side
  %front.1 = add i32 %front, 1
  %first = add i32 %begin, %front.1
  %rows.end = mul nuw nsw i32 %r.2, %side
  %end = add nsw i32 %front, %rows.end
  %second = add nsw i32 %first, 1
  %any = icmp slt i32 %second, %end
  br i1 %any, label %enter, label %row.end
enter:
  br label %for
for:
  %i = phi i64 [0, %enter], [%next, %for]
  %i.short = trunc i64 %i to i32
  %number = add i32 %first, %i.short
  %index = sext i32 %number to i64
  %at = getelementptr inbounds double, ptr %x, i64 %index
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %index
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i, %last
  br i1 %done, label %row.end, label %for
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %r.done = icmp eq i64 %r, %last
  br i1 %r.done, label %step.end, label %row
step.end:
  %s.next = add nuw nsw i32 %s, 1
  %more = icmp slt i32 %s.next, %steps
  br i1 %more, label %step, label %exit
exit:
  ret void
}

; Another one for each row.
; CHECK-LABEL: derivative plan for reverse(@slanted
; CHECK: carries the adjoints of
; CHECK-NOT: counts up
define void @slanted(ptr noalias %x, ptr noalias %y, ptr noalias readonly %p, i32 %side, i32 %steps) "isozyme-request"="reverse(dup,dup,const,const,const)->const" {
entry:
  %wide = icmp sgt i32 %side, 2
  %less = add i32 %side, -3
  %last = zext i32 %less to i64
  br label %step
step:
  %s = phi i32 [0, %entry], [%s.next, %step.end]
  br i1 %wide, label %rows, label %step.end
rows:
  br label %row
row:
  %r = phi i64 [0, %rows], [%r.next, %row.end]
  %place = getelementptr inbounds i32, ptr %p, i64 %r
  %plane = load i32, ptr %place
  %front = mul nsw i32 %s, %plane
  %r.short = trunc nuw nsw i64 %r to i32
  %r.1 = add nuw nsw i32 %r.short, 1
  %r.2 = add nuw nsw i32 %r.short, 2
  %begin = mul nuw nsw i32 %r.1, %side
  %front.1 = add i32 %front, 1
  %first = add i32 %begin, %front.1
  %rows.end = mul nuw nsw i32 %r.2, %side
  %end = add nsw i32 %front, %rows.end
  %second = add nsw i32 %first, 1
  %any = icmp slt i32 %second, %end
  br i1 %any, label %enter, label %row.end
enter:
  br label %for
for:
  %i = phi i64 [0, %enter], [%next, %for]
  %i.short = trunc i64 %i to i32
  %number = add i32 %first, %i.short
  %index = sext i32 %number to i64
  %at = getelementptr inbounds double, ptr %x, i64 %index
  %after = getelementptr inbounds i8, ptr %at, i64 8
  %here = load double, ptr %at
  %right = load double, ptr %after
  %product = fmul double %here, %right
  %to = getelementptr inbounds double, ptr %y, i64 %index
  store double %product, ptr %to
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i, %last
  br i1 %done, label %row.end, label %for
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %r.done = icmp eq i64 %r, %last
  br i1 %r.done, label %step.end, label %row
step.end:
  %s.next = add nuw nsw i32 %s, 1
  %more = icmp slt i32 %s.next, %steps
  br i1 %more, label %step, label %exit
exit:
  ret void
}
