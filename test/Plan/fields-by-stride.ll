; In an array of records, a store to one field leaves the other as it was: the fields'
; offsets differ modulo the size of a record.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define void @step(ptr %bodies, i64 %n) "isozyme-request"="reverse(dup, const) -> const" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %at = getelementptr [16 x i8], ptr %bodies, i64 %i
  %mass = load double, ptr %at
  %speed.at = getelementptr i8, ptr %at, i64 8
  %speed = load double, ptr %speed.at
  %new = fmul double %mass, %speed
  store double %new, ptr %speed.at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK: %speed primal  for %new  cache #1  (may be overwritten)
; CHECK: %mass primal  for %new  reload  (not overwritten afterwards)
