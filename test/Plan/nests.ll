; A nest whose trip counts are known before it has one array; where the inner trip count
; depends on the outer iteration, each outer iteration has an array of its own. A loop of
; one block that is passed on the way changes nothing.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @square(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %total = phi double [ 0.0, %entry ], [ %sum.next, %row.end ]
  br label %col
col:
  %j = phi i64 [ 0, %row ], [ %j.next, %col ]
  %sum = phi double [ %total, %row ], [ %sum.next, %col ]
  %s = call double @sin(double %sum)
  %xp = getelementptr inbounds double, ptr %x, i64 %j
  %xj = load double, ptr %xp
  %e = call double @exp(double %xj)
  %sum.next = fadd double %s, %e
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %col, label %row.end
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %row, label %done
done:
  ret double %sum.next
}
define double @triangle(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]
  %total = phi double [ 0.0, %entry ], [ %sum.next, %row.end ]
  br label %col
col:
  %j = phi i64 [ 0, %row ], [ %j.next, %col ]
  %sum = phi double [ %total, %row ], [ %sum.next, %col ]
  %xp = getelementptr inbounds double, ptr %x, i64 %j
  %xj = load double, ptr %xp
  %e = call double @exp(double %xj)
  %sum.next = fadd double %sum, %e
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ule i64 %j.next, %i
  br i1 %more, label %col, label %row.end
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %row, label %done
done:
  ret double %sum.next
}
define double @second(ptr %x, ptr %y, i32 %n) "isozyme-request"="reverse(dup, dup, const) -> active" {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %ahead, label %none
ahead:
  %count = zext nneg i32 %n to i64
  br label %row
row:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %row.end ]
  %total = phi double [ 0.0, %ahead ], [ %sum.next, %row.end ]
  br label %first
first:
  %k = phi i64 [ 0, %row ], [ %k.next, %first ]
  %yp = getelementptr inbounds double, ptr %y, i64 %k
  store double %total, ptr %yp
  %k.next = add nuw nsw i64 %k, 1
  %more.first = icmp ult i64 %k.next, %count
  br i1 %more.first, label %first, label %col
col:
  %j = phi i64 [ 0, %first ], [ %j.next, %col ]
  %sum = phi double [ %total, %first ], [ %sum.next, %col ]
  %s = call double @sin(double %sum)
  %xp = getelementptr inbounds double, ptr %x, i64 %j
  %xj = load double, ptr %xp
  %sum.next = fadd double %s, %xj
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %count
  br i1 %more, label %col, label %row.end
row.end:
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %count
  br i1 %again, label %row, label %done
done:
  ret double %sum.next
none:
  ret double 0.0
}
declare double @exp(double)
declare double @sin(double)

; CHECK-LABEL: plan for reverse(@square:
; CHECK:         #1  double array %row %col  8 bytes * (%0+1) * (%0+1)  %sum primal
; CHECK-LABEL: plan for reverse(@triangle:
; CHECK:         #0  ptr scalar  8 bytes  base of #1
; CHECK-NEXT:    #1  ptr array %row  8 bytes * (%0+1)  base of #2
; CHECK-NEXT:    #2  double array %col  8 bytes * (%0+1) * (%iv+1)  %e primal
; CHECK-LABEL: plan for reverse(@second:
; CHECK:         double array %row %col
