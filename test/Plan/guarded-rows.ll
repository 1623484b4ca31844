; How often the inner loop runs is known before both: width - 3 is not negative where the loop over
; rows is entered, although a test of each row decides whether it is reached.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s

; CHECK: derivative plan for reverse(@known
; CHECK: double array %row %col  8 bytes * (%{{.*}}+1) * (%{{.*}}+1)  %v primal
define void @known(ptr %x, ptr %keep, i32 %width) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %any = icmp sgt i32 %width, 2
  br i1 %any, label %row, label %exit
row:
  %r = phi i32 [1, %entry], [%r.next, %row.end]
  %at = getelementptr i32, ptr %keep, i32 %r
  %flag = load i32, ptr %at
  %wanted = icmp ne i32 %flag, 0
  br i1 %wanted, label %col, label %row.end
col:
  %c = phi i32 [1, %row], [%c.next, %col]
  %p = getelementptr double, ptr %x, i32 %c
  %v = load double, ptr %p
  %square = fmul double %v, %v
  store double %square, ptr %p
  %c.next = add nuw nsw i32 %c, 1
  %last = add i32 %width, -1
  %done = icmp eq i32 %c.next, %last
  br i1 %done, label %row.end, label %col
row.end:
  %r.next = add nuw nsw i32 %r, 1
  %last.r = add i32 %width, -1
  %done.r = icmp eq i32 %r.next, %last.r
  br i1 %done.r, label %exit, label %row
exit:
  ret void
}

; The other way round the test of each row says it: no row is wanted of a table without columns, and
; there is no size that holds for all of them.
; CHECK: derivative plan for reverse(@unknown
; CHECK: ptr array %row  8 bytes * (%{{.*}}+1)  base of #[[V:[0-9]+]]
; CHECK: #[[V]]  double array %col  8 bytes * (%{{.*}}+1) * (%{{.*}}+1)  %v primal
define void @unknown(ptr %x, ptr %keep, i32 %rows, i32 %width) "isozyme-request"="reverse(dup,const,const,const)->const" {
entry:
  %any = icmp sgt i32 %rows, 2
  br i1 %any, label %row, label %exit
row:
  %r = phi i32 [1, %entry], [%r.next, %row.end]
  %at = getelementptr i32, ptr %keep, i32 %r
  %flag = load i32, ptr %at
  %wanted = icmp slt i32 %flag, %width
  br i1 %wanted, label %col, label %row.end
col:
  %c = phi i32 [1, %row], [%c.next, %col]
  %p = getelementptr double, ptr %x, i32 %c
  %v = load double, ptr %p
  %square = fmul double %v, %v
  store double %square, ptr %p
  %c.next = add nuw nsw i32 %c, 1
  %last = add i32 %width, -1
  %done = icmp eq i32 %c.next, %last
  br i1 %done, label %row.end, label %col
row.end:
  %r.next = add nuw nsw i32 %r, 1
  %last.r = add i32 %rows, -1
  %done.r = icmp eq i32 %r.next, %last.r
  br i1 %done.r, label %exit, label %row
exit:
  ret void
}
